import { z } from 'zod';
import { readMail } from './read-mail.ts';

/** Reads one mail in a process of its own (parse-mail.ts). */
process.once('message', (source) => {
  void readMail(Buffer.from(z.instanceof(Uint8Array).parse(source))).then((mail) => process.send?.(mail));
});
process.once('disconnect', () => process.exit());
process.send?.('ready');
