import { z } from 'zod';
import { answerTasks, note } from '#shared/platform/lasting-process.ts';
import { importRenderer } from './import-renderer.ts';
import { PageMaker } from './page-maker.ts';
import type { PageTask } from './page-process.ts';

/** Makes the public pages in a process of its own (page-process.ts). */

const taskSchema = z.custom<PageTask>();
let maker: Promise<PageMaker> | undefined;

answerTasks(async (given) => {
  const task = taskSchema.parse(given);
  maker ??= importRenderer(task.renderer).then((renderer) => new PageMaker(renderer, note));
  const ready = await maker;
  switch (task.method) {
    case 'open':
      return ready.open(task.given);
    case 'page':
      return ready.page(task.given);
    case 'file':
      return ready.file(task.given);
    case 'find':
      return ready.find(task.given);
    case 'search':
      return ready.search(task.given);
    default:
      return ready.picture(task.given);
  }
});
