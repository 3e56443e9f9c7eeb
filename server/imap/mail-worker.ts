import { z } from 'zod';
import { answerTask } from '#shared/platform/ask-process.ts';
import { readMail } from './read-mail.ts';

/** Reads one mail in a process of its own (parse-mail.ts). */
answerTask((source) => readMail(Buffer.from(z.instanceof(Uint8Array).parse(source))));
