import { z } from 'zod';
import { openJournal } from '#ship/standins/journal.ts';

const registration = z.object({
  irn: z.string(),
  supplierGstin: z.string(),
  ackNumber: z.number(),
  /** Epoch milliseconds. */
  at: z.number(),
  document: z.record(z.string(), z.unknown()),
  signedInvoice: z.string(),
  signedQrCode: z.string(),
});
const entry = z.union([
  z.object({ registered: registration }),
  z.object({ cancelled: z.object({ irn: z.string(), at: z.number(), reason: z.string() }) }),
]);

export type Registration = z.infer<typeof registration> & { cancelledAt: number | null };

export interface Registry {
  find(irn: string): Registration | undefined;
  nextAckNumber(): number;
  add(registered: z.infer<typeof registration>): void;
  cancel(irn: string, at: number, reason: string): void;
}

/** The registered documents, stored in a file so that they survive restarts. */
export function openRegistry(path: string): Registry {
  const journal = openJournal(path, entry);
  const byIrn = new Map<string, Registration>();
  const apply = (line: z.infer<typeof entry>) => {
    if ('registered' in line) byIrn.set(line.registered.irn, { ...line.registered, cancelledAt: null });
    else {
      const found = byIrn.get(line.cancelled.irn);
      if (found) found.cancelledAt = line.cancelled.at;
    }
  };
  const record = (line: z.infer<typeof entry>) => {
    journal.append(line);
    apply(line);
  };
  for (const line of journal.entries) apply(line);
  return {
    find: (irn) => byIrn.get(irn),
    nextAckNumber: () => 112_610_000_000_001 + byIrn.size,
    add: (registered) => record({ registered }),
    cancel: (irn, at, reason) => record({ cancelled: { irn, at, reason } }),
  };
}
