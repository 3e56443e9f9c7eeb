import { useEffect, useState } from 'react';
import { z } from 'zod';
import { readToken } from '#web/console/api/session.ts';
import { useOperatorSession } from '#web/console/api/use-operator.ts';
import { consolePrefix, keptInTab } from '#web/session/storage.ts';

const draftSchema = z.record(z.string(), z.string());
type Draft = z.output<typeof draftSchema>;

const storageKey = `${consolePrefix}drafts`;
const draftsSchema = z.record(z.string(), draftSchema);

function readDrafts(): Record<string, Draft> {
  try {
    return draftsSchema.parse(JSON.parse(keptInTab.read(storageKey) ?? '{}'));
  } catch {
    return {};
  }
}

function keepDraft(key: string, draft: Draft | undefined): void {
  const drafts = new Map(Object.entries(readDrafts()));
  if (draft === undefined) drafts.delete(key);
  else drafts.set(key, draft);
  keptInTab.keep(storageKey, JSON.stringify(Object.fromEntries(drafts)));
}

export const forgetDrafts = (): void => keptInTab.keep(storageKey, null);

/**
 * The texts of a form, by name. They survive the end of the session and a reload; leaving the form, or turning to something else in it, forgets them. `about`: what they are for;
 * the next operator in this tab does not get them.
 */
export function useDraft(
  about: string,
  initial: Draft,
): { values: Draft; change: (name: string, value: string) => void } {
  const key = `${useOperatorSession().data?.operator.id ?? ''} ${about}`;
  const kept = (): Draft => ({ ...initial, ...readDrafts()[key] });
  const [draft, setDraft] = useState(() => ({ key, values: kept() }));
  // Of something else now: nothing is carried over.
  const values = draft.key === key ? draft.values : kept();
  useEffect(
    () => () => {
      if (readToken() !== null) keepDraft(key, undefined);
    },
    [key],
  );
  return {
    values,
    change: (name, value) => {
      const changed = { ...values, [name]: value };
      setDraft({ key, values: changed });
      keepDraft(key, changed);
    },
  };
}
