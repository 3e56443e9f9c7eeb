import { fault, ofCycle, type PlantedFault } from './planted-faults.ts';

/** Cycles that are paid later: one of which all is due, its customer, one that was paid, with that payment, one of which a part is due, and one that was written off; filled by the test. */
export const plantedCredit = { due: '', debtor: '', paidLater: '', paymentOfBill: '', lowered: '', writtenOff: '' };

const promiseOf = (cycleId: string) => `(select payment_id from credit_bills where ${ofCycle(cycleId)})`;

/** Changes of what is sold on credit terms (decision 081). */
export const plantedCreditFaults: readonly PlantedFault[] = [
  fault(
    'less is due of a bill than the ledger says',
    () => [`update credit_bills set due_paise = due_paise - 1 where ${ofCycle(plantedCredit.due)}`],
    /bill \S+ has 149899 due, and the ledger 149900/,
  ),
  fault(
    'a bill that was paid is due again',
    () => [`update credit_bills set due_paise = 149900 where ${ofCycle(plantedCredit.paidLater)}`],
    /bill \S+ has 149900 due, and the ledger 0/,
  ),
  fault(
    'more money goes back of a bill than came',
    () => [
      `update refunds set payout = 'TRANSFER', status = 'STARTED', settled_at = null, offset_paise = 0, covered_paise = 0 where ${ofCycle(plantedCredit.lowered)}`,
    ],
    /bill \S+ gives back 50000 more than came/,
  ),
  fault(
    'money goes back of a bill instead of lowering what is due',
    () => [`update credit_bills set due_paise = due_paise + 50000 where ${ofCycle(plantedCredit.lowered)}`],
    /bill \S+ has 149900 owed, and 99900 of its price left/,
  ),
  fault(
    'a refund lowers a bill without its entry',
    () => [
      `update refunds set amount_paise = amount_paise - 100, offset_paise = offset_paise - 100, covered_paise = covered_paise - 100 where ${ofCycle(plantedCredit.lowered)}`,
    ],
    /refund \S+ \(PROCESSED\) does not match its entries/,
  ),
  fault(
    'a promise gives back what nothing covers',
    () => [
      `update refunds set payout = 'TRANSFER', offset_paise = offset_paise - 100 where ${ofCycle(plantedCredit.lowered)}`,
    ],
    /payment TRM-\S+ gives 50000 back, 0 for 100 of other refunds/,
  ),
  fault(
    'a bill that was written off is paid',
    () => [`update credit_bills set written_off_paise = 0 where ${ofCycle(plantedCredit.writtenOff)}`],
    /bill \S+ has 0 written off, and the ledger 149900/,
  ),
  fault(
    'a bill is written off without its entry',
    () => [`update credit_bills set written_off_paise = due_paise, due_paise = 0 where ${ofCycle(plantedCredit.due)}`],
    /bill \S+ has 149900 written off, and the ledger 0/,
  ),
  fault(
    'nobody wrote a bad debt off',
    () => [
      `update operator_actions set action = 'customers.terms' where action = 'customers.write-off' and target = '${plantedCredit.writtenOff}'`,
    ],
    /entry write-off:TRM-\S+ writes off what no operator did/,
  ),
  fault(
    'a bill is gone',
    () => [`delete from credit_bills where ${ofCycle(plantedCredit.due)}`],
    /payment TRM-\S+ is a promise without a bill/,
  ),
  fault(
    'a promise is over less than the price',
    () => [
      `update payments set amount_paise = amount_paise - 100 where provider_payment_id = ${promiseOf(plantedCredit.due)}`,
    ],
    /bill \S+ is of no promise over the price of its cycle/,
  ),
  fault(
    'a promise counts as money that came',
    () => [
      `update ledger_lines set account = 'provider' where account = 'receivables' and entry_id = 'capture:' || ${promiseOf(plantedCredit.due)}`,
    ],
    /payment TRM-\S+ is captured but its entry is BILLED/,
  ),
  fault(
    'the payment of a bill counts as one of a plan',
    () => [`update payments set use = 'CYCLE' where provider_payment_id = '${plantedCredit.paymentOfBill}'`],
    /payment pay_\S+ differs from its order/,
  ),
  fault(
    'a customer has other terms than an operator gave',
    () => [`update credit_terms set limit_paise = limit_paise + 100 where customer_id = '${plantedCredit.debtor}'`],
    /the terms of customer \S+ are not what the audit log says/,
  ),
];
