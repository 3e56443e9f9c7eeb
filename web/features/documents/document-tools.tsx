import { NativeSelect, TextInput } from '@mantine/core';
import { Download, FolderArchive, Search } from 'lucide-react';
import { type Document, documentKindSchema, readPurchaseRegister } from '#shared/contract/documents.ts';
import type { Day } from '#shared/domain/day.ts';
import { startDownload } from '#web/api/download.ts';
import { useAction } from '#web/api/use-call.ts';
import { type DocumentFilter, monthsOf, registerDays, yearsOf } from '#web/features/documents/document-filter.ts';
import classes from '#web/features/documents/documents.module.css';
import { documentTexts as texts } from '#web/features/documents/texts.ts';
import { useMonthPack } from '#web/features/documents/use-month-pack.ts';
import { ActionButton } from '#web/ui/action-button.tsx';
import { monthText } from '#web/ui/localized-days.ts';
import { notifyFailure } from '#web/ui/notify.tsx';

interface DocumentToolsProps {
  all: readonly Document[];
  filter: DocumentFilter;
  today: Day;
  onChange: (words: Record<string, string>) => void;
}

/** Narrows the documents, and downloads the purchase register of the chosen year. */
export function DocumentTools({ all, filter, today, onChange }: DocumentToolsProps) {
  const register = useAction(readPurchaseRegister, {
    onDone: ({ downloadUrl }, { params }) => startDownload(downloadUrl, texts.registerFile(params.from, params.to)),
    onFailed: (failure) => notifyFailure(texts.registerFailed, failure.message),
  });
  const pack = useMonthPack();
  return (
    <div className={classes.tools} data-print="hidden">
      <NativeSelect
        aria-label={texts.kind}
        value={filter.kind ?? ''}
        onChange={(event) => onChange({ kind: event.currentTarget.value })}
        data={[
          { value: '', label: texts.allKinds },
          ...documentKindSchema.options.map((kind) => ({ value: kind, label: texts.kinds[kind] })),
        ]}
      />
      <NativeSelect
        aria-label={texts.year}
        value={filter.year ?? ''}
        onChange={(event) => onChange({ year: event.currentTarget.value, month: '' })}
        data={[
          { value: '', label: texts.allYears },
          ...yearsOf(all).map((year) => ({ value: year, label: texts.yearName(year) })),
        ]}
      />
      <NativeSelect
        aria-label={texts.month}
        value={filter.month ?? ''}
        onChange={(event) => onChange({ month: event.currentTarget.value })}
        data={[
          { value: '', label: texts.allMonths },
          ...monthsOf(all, filter.year).map((month) => ({ value: month, label: monthText(month) })),
        ]}
      />
      <TextInput
        className={classes.search ?? ''}
        aria-label={texts.search}
        placeholder={texts.search}
        leftSection={<Search size={15} aria-hidden="true" />}
        value={filter.words}
        onChange={(event) => onChange({ q: event.currentTarget.value })}
      />
      <ActionButton
        call="readPurchaseRegister"
        isRead
        className={classes.register ?? ''}
        variant="default"
        running={register.running}
        leftSection={<Download size={16} aria-hidden />}
        onClick={() => void register.run({ params: registerDays(all, filter.year, today) })}
      >
        {texts.register}
      </ActionButton>
      {filter.month !== null && (
        <ActionButton
          call="readMonthPack"
          isRead
          variant="default"
          running={pack.running}
          leftSection={<FolderArchive size={16} aria-hidden />}
          onClick={() => pack.download(filter.month ?? '')}
        >
          {texts.pack}
        </ActionButton>
      )}
    </div>
  );
}
