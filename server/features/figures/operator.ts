import type { figureCalls } from '#shared/contract/operator/figures.ts';
import { addDays, dayOf } from '#shared/domain/day.ts';
import type { Handlers } from '#server/operator-handler.ts';
import { readFigures } from './figures.ts';

export const figureHandlers: Handlers<typeof figureCalls> = {
  readFigures: {
    read: (source, { from, to }) => {
      const today = dayOf(source.clock());
      const last = to ?? addDays(today, -1);
      return readFigures(source, { from: from ?? addDays(last, -29), to: last }, today);
    },
  },
};
