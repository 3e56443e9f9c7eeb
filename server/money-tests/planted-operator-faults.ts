import { copy, cycle, drop, fault, ofCycle, planted, type PlantedFault } from './planted-faults.ts';

const granted = () => cycle(planted.granted);
const refund = () => `origin = 'OPERATOR' and ${ofCycle(planted.refundedInPart)}`;
const raise = () => ofCycle(planted.refundedInPart);

/** Changes of what operators refunded, granted and raised. */
export const plantedOperatorFaults: readonly PlantedFault[] = [
  fault(
    'a refund by an operator has another reason than in the audit log',
    () => [`update refunds set reason = 'None' where ${refund()}`],
    /refund \S+ by an operator is not in the audit log/,
  ),
  fault(
    'a refund of the portal became one by an operator',
    () => [`update refunds set origin = 'OPERATOR' where origin = 'PORTAL' and ${ofCycle(planted.cancelled)}`],
    /refund \S+ by an operator is not in the audit log/,
  ),
  fault(
    'one transfer pays refunds of two customers',
    () => [
      ...drop('refunds', 'refunds_transfer_check'),
      ...drop('refunds', 'refunds_booked_day_check'),
      `update refunds set utr = 'UTRX99'`,
    ],
    /transfer UTRX99 pays refunds of two customers/,
  ),
  fault(
    'a refund of unused days is over more than was unused',
    () => [`update refunds set amount_paise = amount_paise + 100 where ${ofCycle(planted.givenBack)}`],
    /refund \S+ is over more than was unused of cycle/,
  ),
  fault(
    'a refund is of a plan that was replaced, and none replaced it',
    () => [`update refunds set of_replaced = true where ${ofCycle(planted.givenBack)}`],
    /refund \S+ is of a plan that nothing replaced/,
  ),
  fault(
    'a refund of unused days became one of excess tax',
    () => [`update refunds set origin = 'EXCESS_TAX' where ${ofCycle(planted.givenBack)}`],
    /refund \S+ of excess tax has no refund voucher/,
  ),
  fault(
    'a granted plan has another reason than in the audit log',
    () => [`update cycles set granted_reason = 'None' where ${granted()}`],
    /granted plan \S+ is not in the audit log/,
  ),
  fault(
    'a granted plan was made behind the audit log',
    () => [
      ...drop('cycles', 'cycles_never_overlap'),
      copy('cycles', granted(), { id: 'CYC-X', from_date: '2099-01-01', to_date: '2099-01-08' }),
    ],
    /granted plan CYC-X is not in the audit log/,
  ),
  fault(
    'a granted plan became a free one',
    () => [`update cycles set granted_reason = null where ${granted()}`],
    /cycle \S+ has been changed/,
  ),
  fault(
    'a granted plan got a price',
    () => [
      ...drop('cycles', 'cycles_granted_check', 'cycles_check1'),
      `update cycles set price_paise = 100 where ${granted()}`,
    ],
    /granted plan \S+ costs money/,
  ),
  fault(
    'a bought plan was granted afterwards',
    () => [
      ...drop('cycles', 'cycles_granted_check'),
      `update cycles set granted_reason = 'A gift' where ${cycle(planted.paid)}`,
    ],
    /granted plan \S+ costs money/,
  ),
  fault(
    'a quota was raised by more than an operator added',
    () => [`update quota_raises set units = units + 1 where ${raise()}`],
    /quota raise \S+ has been changed/,
  ),
  fault(
    'calls per second of an activation were set behind the audit log',
    () => [
      `update activations set calls_per_second = 9 where id = (select activation_id from cycles where ${granted()})`,
    ],
    /activation \S+ has other calls per second than the audit log says/,
  ),
  fault('a raise is deleted', () => [`delete from quota_raises where ${raise()}`], /quota raise \S+ is missing/),
];
