import { copy, drop, fault, planted, type PlantedFault } from './planted-faults.ts';

const payment = (id: string) => `provider_payment_id = '${id}'`;
const transfer = (id: string) => `payment_id = '${id}'`;

/** Changes of bank transfers: held, answered about, less tax, and to the own account. */
export const plantedTransferFaults: readonly PlantedFault[] = [
  fault(
    'a held transfer pays without an answer',
    () => [`update payments set use = 'CYCLE' where ${payment(planted.heldPayment)}`],
    /payment \S+ is captured but its entry is missing/,
  ),
  fault(
    'a held transfer goes back without an answer',
    () => [`update payments set use = 'REFUND' where ${payment(planted.heldPayment)}`],
    /the answer about payment \S+, now REFUND, is not in the audit log/,
  ),
  fault(
    'the answer about a held transfer is of somebody else',
    () => [`update operator_actions set action = 'transfers.list' where target = '${planted.answeredPayment}'`],
    /the answer about payment \S+, now CYCLE, is not in the audit log/,
  ),
  fault(
    'a held transfer came with another amount',
    () => [
      `update ledger_lines set amount_paise = amount_paise + sign(amount_paise)::int where entry_id = 'capture:${planted.answeredPayment}'`,
    ],
    /payment \S+ came held with another amount than/,
  ),
  fault(
    'less was withheld than the transfer says',
    () => [`update refunds set amount_paise = amount_paise - 100 where ${transfer(planted.answeredPayment)}`],
    /payment \S+ has 12700 withheld, and its plans say 12600/,
  ),
  fault(
    'the books have the tax of a transfer on another day than its money',
    () => [
      `update refunds set booked_on = booked_on - 5 where payout = 'WITHHELD' and ${transfer(planted.answeredPayment)}`,
    ],
    /refund \S+ is withheld on \S+, which is no day of its money/,
  ),
  fault(
    'more cash goes back than came',
    () => [
      ...drop('refunds', 'refunds_withheld_check'),
      copy('refunds', `${transfer(planted.answeredPayment)} and payout = 'WITHHELD'`, {
        id: 'RFD-X',
        origin: 'OPERATOR',
        payout: 'PROVIDER',
        amount_paise: 140_000,
        booked_on: null,
      }),
    ],
    /cycle \S+ gives 140000 back in cash of 137200 that came/,
  ),
  fault(
    'a greater part of a price goes back in cash than came of it',
    () => [
      ...drop('refunds', 'refunds_withheld_check'),
      copy('refunds', `${transfer(planted.answeredPayment)} and payout = 'WITHHELD'`, {
        id: 'RFD-X',
        origin: 'OPERATOR',
        payout: 'PROVIDER',
        amount_paise: 74_950,
        withheld_paise: 6_349,
        covered_paise: 6_349,
        booked_on: null,
      }),
    ],
    /cycle \S+ gives 74950 of its price back, of which only 6349 is tax that nobody proved/,
  ),
  fault(
    'tax is withheld from a payment that is no transfer',
    () => [
      ...drop('refunds', 'refunds_withheld_check'),
      ...drop('refunds', 'refunds_booked_day_check'),
      `update refunds set payout = 'WITHHELD' where cycle_id = '${planted.deducted}' and origin = 'TDS'`,
    ],
    /refund \S+ is withheld from a payment that is no bank transfer/,
  ),
  fault(
    'a recorded transfer is not in the audit log',
    () => [`update operator_actions set action = 'transfers.list' where target = '${planted.recordedPayment}'`],
    /transfer \S+ of TRF-\S+ is not in the audit log/,
  ),
  fault(
    'a recorded transfer is the refund of another customer',
    () => [
      ...drop('refunds', 'refunds_transfer_check'),
      ...drop('refunds', 'refunds_booked_day_check'),
      `update refunds set utr = (select utr from bank_transfers where ${transfer(planted.recordedPayment)}) where cycle_id = '${planted.deducted}'`,
    ],
    /transfer \S+ is recorded and is other money too/,
  ),
  fault(
    'a recorded transfer is another recorded one, in small letters',
    () => [
      'drop index bank_transfers_received_once',
      copy('bank_transfers', transfer(planted.recordedPayment), { payment_id: 'TRF-X', utr: 'sbin326015129999' }),
    ],
    /transfer \S+ is recorded and is other money too/,
  ),
  fault(
    'a recorded transfer is with the payment provider',
    () => [
      `update ledger_lines set account = 'provider' where account = 'bank' and entry_id = 'capture:${planted.recordedPayment}'`,
    ],
    /payment TRF-\S+ is captured but its entry is/,
  ),
  fault(
    'a transfer came a day earlier',
    () => [`update bank_transfers set received_on = received_on - 1 where ${transfer(planted.recordedPayment)}`],
    /bank transfer \S+ has been changed/,
  ),
  fault(
    'a transfer was added behind the portal',
    () => [copy('bank_transfers', transfer(planted.recordedPayment), { payment_id: 'TRF-X', utr: 'SBIN0000000009' })],
    /bank transfer TRF-X was added without a seal/,
  ),
];
