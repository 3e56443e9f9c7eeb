import type { UseFormReturnType } from '@mantine/form';
import { useEffect, useEffectEvent } from 'react';
import { z } from 'zod';
import { readAccount } from '#shared/contract/account.ts';
import { useCall } from '#web/api/use-call.ts';
import { onSessionChange, readSession } from '#web/session/session.ts';
import { keptInTab } from '#web/session/storage.ts';

const keptSchema = z.record(z.string(), z.union([z.string(), z.boolean(), z.array(z.string())]));

/**
 * What is typed in a form when the session expires is in it again after the next sign-in of the same customer in this tab. Logout in
 * any tab forgets it (session.ts). `of`: which form.
 */
export function useKeptInput<Values extends Record<string, unknown>>(
  form: UseFormReturnType<Values>,
  of: string,
): void {
  const customerId = useCall(readAccount, {}).data?.user.id;
  const restore = useEffectEvent((kept: string) => {
    form.setValues({ ...form.getValues(), ...keptSchema.catch({}).parse(JSON.parse(kept)) });
  });
  const keep = useEffectEvent((key: string) => {
    if (readSession().endedBy === 'expired' && form.isDirty()) keptInTab.keep(key, JSON.stringify(form.getValues()));
  });
  useEffect(() => {
    if (customerId === undefined) return undefined;
    const key = `portal.typed.${customerId}.${of}`;
    const kept = keptInTab.read(key);
    keptInTab.keep(key, null);
    if (kept !== null) restore(kept);
    return onSessionChange(() => keep(key));
  }, [customerId, of]);
}
