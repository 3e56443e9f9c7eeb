import { readMonthPack } from '#shared/contract/month-pack.ts';
import type { Month } from '#shared/domain/month.ts';
import { startDownload } from '#web/api/download.ts';
import { Refused } from '#web/api/failures.ts';
import { useAction } from '#web/api/use-call.ts';
import { documentTexts as texts } from '#web/features/documents/texts.ts';
import { monthText } from '#web/ui/localized-days.ts';
import { notifyFailure } from '#web/ui/notify.tsx';

export interface MonthPack {
  download: (month: Month) => void;
  running: boolean;
}

/** Downloads a month's papers as one ZIP (product §6.23). */
export function useMonthPack(): MonthPack {
  const pack = useAction(readMonthPack, {
    onDone: ({ downloadUrl }, { params }) => startDownload(downloadUrl, texts.packFile(params.month)),
    onFailed: (failure, { params }) => {
      if (failure instanceof Refused && failure.code === 'not_found')
        notifyFailure(texts.packNone(monthText(params.month)));
      else notifyFailure(texts.packFailed, failure.message);
    },
  });
  return { download: (month) => void pack.run({ params: { month } }), running: pack.running };
}
