import type { z } from 'zod';
import { actionCalls } from './actions.ts';
import { apiKeyCalls } from './api-keys.ts';
import { approvalCalls } from './approvals.ts';
import { bookkeepingCalls } from './bookkeeping.ts';
import { documentCalls } from './documents.ts';
import { refundCalls } from './refunds.ts';
import { customerCalls } from './customers.ts';
import { creditCalls } from './credit.ts';
import { figureCalls } from './figures.ts';
import { catalogCalls } from './catalog.ts';
import { grantCalls } from './grants.ts';
import { mandateCalls } from './mandates.ts';
import type { OperatorAction, OperatorExport } from './operator-call.ts';
import { operatorTeamCalls } from './operators.ts';
import { payLinkCalls } from './pay-links.ts';
import { paymentCalls } from './payments.ts';
import { privacyCalls } from './privacy.ts';
import { quotaCalls } from './quota.ts';
import { supportCalls } from './support.ts';
import { taxClaimCalls } from './tax-claims.ts';
import { tdsCalls } from './tds.ts';
import { tokenCalls } from './tokens.ts';
import { transferCalls } from './transfers.ts';
import { cycleCalls } from './cycles.ts';
import { memberOperatorCalls } from './members.ts';
import { mailCalls } from './mail.ts';
import { monthEndCalls } from './month-end.ts';
import { requestLogCalls } from './request-log.ts';
import { endpointCalls } from './endpoints.ts';
import { settlementCalls } from './settlements.ts';
import { webhookCalls } from './webhooks.ts';
import { waitingCalls } from './waiting.ts';

/** Every call of operators, by its name. A call without a handler, a policy and a text for the audit log does not compile. */
export const operatorCalls = {
  ...actionCalls,
  ...apiKeyCalls,
  ...creditCalls,
  ...customerCalls,
  ...refundCalls,
  ...documentCalls,
  ...approvalCalls,
  ...bookkeepingCalls,
  ...monthEndCalls,
  ...settlementCalls,
  ...figureCalls,
  ...catalogCalls,
  ...grantCalls,
  ...mandateCalls,
  ...operatorTeamCalls,
  ...payLinkCalls,
  ...paymentCalls,
  ...privacyCalls,
  ...quotaCalls,
  ...supportCalls,
  ...taxClaimCalls,
  ...tdsCalls,
  ...tokenCalls,
  ...transferCalls,
  ...cycleCalls,
  ...mailCalls,
  ...memberOperatorCalls,
  ...requestLogCalls,
  ...endpointCalls,
  ...webhookCalls,
  ...waitingCalls,
};

export type OperatorCalls = typeof operatorCalls;
export type OperatorCallName = keyof OperatorCalls;
export type ActionName = {
  [Name in OperatorCallName]: OperatorCalls[Name] extends OperatorAction ? Name : never;
}[OperatorCallName];
export type ReadName = Exclude<OperatorCallName, ActionName>;
export type ExportName = {
  [Name in OperatorCallName]: OperatorCalls[Name] extends OperatorExport ? Name : never;
}[OperatorCallName];

export const isActionName = (name: string): name is ActionName =>
  Object.values(operatorCalls).some((call) => 'action' in call && call.name === name);

/** What a caller passes. */
export type OperatorInput<Name extends OperatorCallName> = z.input<OperatorCalls[Name]['input']>;
/** What a caller receives. */
export type OperatorReply<Name extends OperatorCallName> = z.output<OperatorCalls[Name]['reply']>;

/** The actions of calls that concern a customer, or the provider alone. */
type ActionsOf<Concerned extends OperatorAction['concerns']> = Extract<
  OperatorCalls[ActionName],
  { concerns: Concerned }
>['action'];

/** Everything that the audit log says of a customer, who reads it; an export is a command that writes a file. */
export type CustomerAction = ActionsOf<'customer'> | 'customers.export';

/** Everything else in it. Journals are settled by a command on the files of a machine, a file is taken with a read, and people join and add passkeys by signing in. */
export type ProviderAction =
  | ActionsOf<'provider'>
  | 'files.export'
  | 'journals.settle'
  | 'operators.join'
  | 'passkeys.add'
  | 'passkeys.remove';
