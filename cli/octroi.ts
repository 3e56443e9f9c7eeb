import type { Command } from 'commander';
import { accountsCommands } from './accounts/commands.ts';
import { actionsCommand } from './actions/actions.ts';
import { backupCommand, restoreCommand } from './backup/commands.ts';
import { catalogCommands } from './catalog/commands.ts';
import { customersCommands } from './customers/customers.ts';
import { migrateCommand } from './database/migrate.ts';
import { databaseCommands } from './database/roles.ts';
import { doctorCommand } from './doctor/doctor.ts';
import { eInvoicesCommands } from './e-invoices/commands.ts';
import { hsnCommands } from './hsn/hsn.ts';
import { journalsCommands } from './journals/commands.ts';
import { keysCommands } from './api-keys/api-keys.ts';
import { verifyLedgerCommand } from './ledger/verify-ledger.ts';
import { operatorsCommands } from './operators/operators.ts';
import { processCommands } from './processes/commands.ts';
import { remittancesCommands } from './remittances/commands.ts';
import { returnCommands } from './returns/commands.ts';
import { runProgram } from './run-program.ts';
import { seedCommand } from './seed/seed.ts';
import { settlementsCommand } from './settlements/settlements.ts';
import { supportCommands } from './support/commands.ts';
import { quotaCommands } from './quota/quota.ts';
import { documentsCommands } from './documents/documents.ts';
import { extendCommand } from './grants/extend.ts';
import { grantCommand } from './grants/grant.ts';
import { withdrawCommand } from './grants/withdraw.ts';
import { mandatesCommands } from './mandates/mandates.ts';
import { payLinksCommands } from './pay-links/pay-links.ts';
import { paymentsCommands } from './payments/payments.ts';
import { refundCommand } from './payments/refund.ts';
import { refundsCommands } from './payments/refunds.ts';
import { tdsCommands } from './tds/commands.ts';
import { transfersCommands } from './transfers/transfers.ts';
import { figuresCommand } from './figures/figures.ts';
import { waitingCommand } from './waiting/waiting.ts';
import { webhooksCommands } from './webhooks/webhooks.ts';
import { upgradeCommand } from './upgrade/upgrade.ts';

/** Every command, in the order of the help. */
export const commands = (): Command[] => [
  ...processCommands(),
  migrateCommand(),
  databaseCommands(),
  doctorCommand(),
  upgradeCommand(),
  backupCommand(),
  restoreCommand(),
  verifyLedgerCommand(),
  journalsCommands(),
  catalogCommands(),
  waitingCommand(),
  figuresCommand(),
  customersCommands(),
  paymentsCommands(),
  refundCommand(),
  refundsCommands(),
  transfersCommands(),
  grantCommand(),
  withdrawCommand(),
  extendCommand(),
  mandatesCommands(),
  payLinksCommands(),
  quotaCommands(),
  documentsCommands(),
  keysCommands(),
  supportCommands(),
  operatorsCommands(),
  webhooksCommands(),
  actionsCommand(),
  settlementsCommand(),
  accountsCommands(),
  ...returnCommands(),
  eInvoicesCommands(),
  remittancesCommands(),
  tdsCommands(),
  hsnCommands(),
  seedCommand(),
];

/** Runs one command line and returns the exit code. */
export const run = (words: readonly string[]): Promise<number> => runProgram(commands(), words);
