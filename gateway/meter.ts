import { isCounted, outcomeOf, statusClass } from '#domain/metering.ts';
import type { Admitted } from './admit.ts';
import type { CallMeter } from './forward.ts';
import type { Journal } from './journal.ts';
import type { CallNote } from './call-note.ts';
import type { QuotaDesk } from './quota-desk.ts';
import { rateLimitHeaders } from './rate-limit-headers.ts';
import { type WrittenKind, writtenKind } from './journal-lines.ts';
import type { KeyAccess } from './access-cache.ts';
import type { BookLease } from './quota-book.ts';

/** The kind of a lease's calls, made once: the journal tells kinds apart by identity. */
function kindOf(lease: BookLease, access: KeyAccess, statusClass: number, counted: boolean): WrittenKind {
  let ofKey = lease.kinds.get(access.keyId);
  if (ofKey === undefined) lease.kinds.set(access.keyId, (ofKey = []));
  const { cycleId: cycle, day, keyId } = lease;
  const { activationId: activation, keyId: key } = access;
  const place = statusClass * 2 + Number(counted);
  return (ofKey[place] ??= writtenKind({ activation, cycle, key, lease: keyId, day, class: statusClass, counted }));
}

/** It counted, or it is given back: follows one admitted call to its end. */
export function meterCall(
  { access, cycle, book, lease, dayEndsAt }: Admitted,
  desk: QuotaDesk,
  journal: Journal,
  now: () => number,
  note: CallNote,
): CallMeter {
  let onDisk = false;
  let brokeOff = false;
  let countedStatus = 0;

  const append = (status: number, counted: boolean, calls: number, done?: (fault?: Error) => void): void =>
    journal.append(kindOf(lease, access, statusClass(status), counted), calls, now(), done);

  /** The same call again, but as a failure that does not count. */
  const takeBack = (): void => {
    append(countedStatus, true, -1, (fault) => {
      if (fault === undefined) desk.undo(lease);
    });
    append(502, false, 1);
    note(countedStatus, false, 'broke-off');
  };

  return {
    answered: (status, replayed, go) => {
      if (!isCounted(status, replayed)) {
        desk.giveBack(lease);
        append(status, false, 1);
        note(status, false, outcomeOf(status, replayed));
        go();
        return;
      }
      countedStatus = status;
      desk.use(lease);
      append(status, true, 1, (fault) => {
        if (fault !== undefined) desk.undo(lease);
        else {
          onDisk = true;
          note(status, true, outcomeOf(status, replayed));
        }
        if (onDisk && brokeOff) takeBack();
        go(fault);
      });
    },
    failed: (callerLeft) => {
      desk.giveBack(lease);
      // Nobody was answered when the caller left first.
      if (callerLeft) note(499, false, 'caller-left');
      else {
        append(502, false, 1);
        note(0, false, 'failed');
      }
    },
    turnedAway: () => desk.giveBack(lease),
    broken: () => {
      if (countedStatus === 0) return;
      brokeOff = true;
      if (onDisk) takeBack();
    },
    addFields: (head) => {
      head.push(...rateLimitHeaders(cycle, book, lease, now(), dayEndsAt));
    },
  };
}

/** What tells the product that a call is a test. Callers cannot send it: fields of this kind are taken from their calls. */
export const testFields: readonly string[] = ['X-Octroi-Plan', 'test', 'X-Octroi-Test', 'true'];

/** A call of a test key is forwarded and takes nothing. */
export function meterTestCall(note: CallNote): CallMeter {
  return {
    answered: (status, _replayed, go) => {
      note(status, false, 'test');
      go();
    },
    failed: (callerLeft) => note(callerLeft ? 499 : 0, false, 'test'),
    broken: () => {},
    turnedAway: () => {},
    addFields: (head) => {
      head.push(...testAnswerFields);
    },
  };
}

const testAnswerFields: readonly string[] = ['Octroi-Mode', 'test'];
