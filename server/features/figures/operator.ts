import type { figureCalls } from '#shared/contract/operator/figures.ts';
import type { Handlers } from '#server/operator-handler.ts';
import { readFigures } from './figures.ts';

export const figureHandlers: Handlers<typeof figureCalls> = {
  readFigures: { read: ({ db }, span) => readFigures(db, span) },
};
