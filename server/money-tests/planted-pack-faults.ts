import { cycle, drop, fault, planted, type PlantedFault } from './planted-faults.ts';

/** Faults of packs, and of the cycles that they add to. */
export const plantedPackFaults: readonly PlantedFault[] = [
  fault(
    'a pack has more units than its terms',
    () => [`update cycles set daily_quota = 500, monthly_quota = 500 where ${cycle(planted.pack)}`],
    /has other quotas than its plan/,
  ),
  fault(
    'a pack lasts beyond its cycle',
    () => [`update cycles set to_date = to_date + 30 where ${cycle(planted.pack)}`],
    /pack .* lasts beyond cycle/,
  ),
  fault(
    'a pack adds to another activation',
    () => [`update cycles set adds_to = '${planted.trial}' where ${cycle(planted.pack)}`],
    /pack .* lasts beyond cycle/,
  ),
  fault(
    'a pack counts although nobody paid for it',
    () => [
      ...drop('cycles', 'cycles_adds_to_check'),
      `update cycles set status = 'PAID', paid_at = created_at, adds_to = '${planted.paid}', from_date = c.from_date, to_date = c.to_date
        from (select from_date, to_date from cycles where ${cycle(planted.paid)}) c where ${cycle(planted.pending)}`,
    ],
    /is paid by 0 payments/,
  ),
];
