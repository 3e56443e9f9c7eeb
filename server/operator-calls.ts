import { z } from 'zod';
import {
  type ActionName,
  type ExportName,
  type OperatorCallName,
  operatorCalls,
  type OperatorCalls,
  type OperatorInput,
  type OperatorReply,
  type ReadName,
} from '#shared/contract/operator/calls.ts';
import { causeSchema, type OperatorAction } from '#shared/contract/operator/operator-call.ts';
import { mayCall } from '#shared/policies/policies.ts';
import type { OperatorRole } from '#shared/policies/policy.ts';
import { transaction } from '#shared/database/transaction.ts';
import { type OperatorCause, recordAction } from './audit-log/audit-log.ts';
import { contentHashOf } from './crypto/content-hash.ts';
import { actionHandlers } from './features/actions/operator.ts';
import { apiKeyHandlers } from './features/api-keys/operator.ts';
import { bookkeepingHandlers } from './features/bookkeeping/operator.ts';
import { documentHandlers } from './features/documents/operator.ts';
import { refundHandlers } from './features/refunds/operator.ts';
import { customerHandlers } from './features/customers/operator.ts';
import { memberHandlers } from './features/members/operator.ts';
import { figureHandlers } from './features/figures/operator.ts';
import { catalogHandlers } from './features/catalog/operator.ts';
import { grantHandlers } from './features/grants/operator.ts';
import { mandateHandlers } from './features/mandates/operator.ts';
import { approvalHandlers } from './features/operators/approvals.ts';
import { tokenHandlers } from './features/operators/tokens.ts';
import { operatorTeamHandlers } from './features/operators/operator.ts';
import { creditHandlers } from './features/credit/operator.ts';
import { payLinkHandlers } from './features/pay-links/operator.ts';
import { paymentHandlers } from './features/payments/operator.ts';
import { privacyHandlers } from './features/privacy/operator.ts';
import { quotaHandlers } from './features/quota/operator.ts';
import { supportHandlers } from './features/support/operator.ts';
import { taxClaimHandlers } from './features/tax-claims/operator.ts';
import { tdsHandlers } from './features/tds/operator.ts';
import { transferHandlers } from './features/payments/held-transfers.ts';
import { cycleHandlers } from './features/cycles/operator.ts';
import { mailHandlers } from './features/mail/operator.ts';
import { monthEndHandlers } from './features/month-end/operator.ts';
import { requestLogHandlers } from './features/request-log/operator.ts';
import { endpointHandlers } from './features/webhooks/endpoints.ts';
import { settlementHandlers } from './features/settlements/operator.ts';
import { webhookHandlers } from './features/webhooks/operator.ts';
import { waitingHandlers } from './features/waiting/operator.ts';
import type {
  ActionHandler,
  Exported,
  ExportHandler,
  Handlers,
  OperatorContext,
  OperatorSource,
  ReadHandler,
  Steps,
} from './operator-handler.ts';
import { OperatorRefusal } from './refusals/operator-refusal.ts';

const handlers: Handlers<OperatorCalls> = {
  ...actionHandlers,
  ...apiKeyHandlers,
  ...customerHandlers,
  ...memberHandlers,
  ...refundHandlers,
  ...documentHandlers,
  ...bookkeepingHandlers,
  ...monthEndHandlers,
  ...settlementHandlers,
  ...figureHandlers,
  ...catalogHandlers,
  ...grantHandlers,
  ...mandateHandlers,
  ...operatorTeamHandlers,
  ...tokenHandlers,
  ...approvalHandlers({ preview: previewUntyped, perform: actUntyped }),
  ...creditHandlers,
  ...payLinkHandlers,
  ...paymentHandlers,
  ...privacyHandlers,
  ...quotaHandlers,
  ...supportHandlers,
  ...taxClaimHandlers,
  ...tdsHandlers,
  ...transferHandlers,
  ...cycleHandlers,
  ...mailHandlers,
  ...requestLogHandlers,
  ...endpointHandlers,
  ...webhookHandlers,
  ...waitingHandlers,
};
const reads: { [Name in ReadName]: ReadHandler<OperatorCalls[Name]> } = handlers;
const exports: { [Name in ExportName]: ExportHandler<OperatorCalls[Name]> } = handlers;
const actions: { [Name in ActionName]: ActionHandler<OperatorCalls[Name]> } = handlers;

/** The schemas of every call, in a form that keeps the name and the type of a call together. */
const schemas: {
  [Name in OperatorCallName]: {
    input: { safeParse: (input: unknown) => z.ZodSafeParseResult<ParsedInput<Name>> };
    reply: { parse: (result: unknown) => OperatorReply<Name> };
  };
} = operatorCalls;
type ParsedInput<Name extends OperatorCallName> = z.output<OperatorCalls[Name]['input']>;

/** Makes a call that changes nothing, for an operator with a role. Every one of these throws OperatorRefusal for what can't be done. */
export async function readUntyped<Name extends ReadName>(
  source: OperatorSource,
  role: OperatorRole,
  name: Name,
  input: unknown,
): Promise<OperatorReply<Name>> {
  const result = await reads[name].read(source, allowedInput(role, name, input));
  return schemas[name].reply.parse(result);
}

/** Makes the file of a call, and writes into the audit log who asks for it, with the hash of what the books say in it. */
export async function exportUntyped<Name extends ExportName>(
  source: OperatorSource,
  role: OperatorRole,
  name: Name,
  input: unknown,
  actor: string,
): Promise<Exported<OperatorReply<Name>>> {
  const made = await exports[name].export(source, allowedInput(role, name, input));
  const reply = schemas[name].reply.parse(made.reply);
  const entry = { action: 'files.export', target: made.name, customerId: null } as const;
  await transaction(source.db, (tx) =>
    recordAction(tx, {
      ...allowedCause({ actor, reason: operatorCalls[name].summary }),
      ...entry,
      effect: { sha256: contentHashOf(made) },
    }),
  );
  return { ...made, reply };
}

/** Does an action need no more than the database? */
export const needsDatabaseOnly = (name: ActionName): boolean => actions[name].needs === 'database';

/** What an action would do now. Refuses a cause that the audit log can't keep. */
export async function previewUntyped<Name extends ActionName>(
  operator: OperatorContext | OperatorSource,
  role: OperatorRole,
  name: Name,
  input: unknown,
  cause: OperatorCause,
): Promise<OperatorReply<Name>> {
  const { preview } = stepsWith(operator, actions[name]);
  const result = await preview(allowedInput(role, name, input), allowedCause(cause));
  return schemas[name].reply.parse(result);
}

/** Performs an action. What fails after `perform` has returned is a fault of ours, and says that the action was done: nobody may repeat it. */
export async function actUntyped<Name extends ActionName>(
  operator: OperatorContext | OperatorSource,
  role: OperatorRole,
  name: Name,
  input: unknown,
  cause: OperatorCause,
): Promise<OperatorReply<Name>> {
  const { perform } = stepsWith(operator, actions[name]);
  const result = await perform(allowedInput(role, name, input), allowedCause(cause));
  try {
    return schemas[name].reply.parse(result);
  } catch (error) {
    throw new Error(`${name} was done, but its result is not what its contract says. Do not repeat it.`, {
      cause: error,
    });
  }
}

/** The same for code that knows which call it makes: the compiler checks the input too. */
export const readAsOperator = <Name extends ReadName>(
  source: OperatorSource,
  role: OperatorRole,
  name: Name,
  input: OperatorInput<Name>,
): Promise<OperatorReply<Name>> => readUntyped(source, role, name, input);

export const exportAsOperator = <Name extends ExportName>(
  source: OperatorSource,
  role: OperatorRole,
  name: Name,
  input: OperatorInput<Name>,
  actor: string,
): Promise<Exported<OperatorReply<Name>>> => exportUntyped(source, role, name, input, actor);

export const previewAsOperator = <Name extends ActionName>(
  operator: OperatorContext | OperatorSource,
  role: OperatorRole,
  name: Name,
  input: OperatorInput<Name>,
  cause: OperatorCause,
): Promise<OperatorReply<Name>> => previewUntyped(operator, role, name, input, cause);

export const actAsOperator = <Name extends ActionName>(
  operator: OperatorContext | OperatorSource,
  role: OperatorRole,
  name: Name,
  input: OperatorInput<Name>,
  cause: OperatorCause,
): Promise<OperatorReply<Name>> => actUntyped(operator, role, name, input, cause);

/** The steps of an action, with what was opened for it. */
function stepsWith<C extends OperatorAction>(operator: OperatorContext | OperatorSource, handler: ActionHandler<C>) {
  if (handler.needs === 'database') return bound(operator, handler);
  if (!('jobs' in operator)) throw new Error('this action needs more than the database');
  return bound(operator, handler);
}

const bound = <C extends OperatorAction, Context>(operator: Context, { preview, perform }: Steps<C, Context>) => ({
  preview: (input: z.output<C['input']>, cause: OperatorCause) => preview(operator, input, cause),
  perform: (input: z.output<C['input']>, cause: OperatorCause) => perform(operator, input, cause),
});

function allowedCause(cause: OperatorCause): OperatorCause {
  const parsed = causeSchema.safeParse(cause);
  if (!parsed.success) throw new OperatorRefusal(z.prettifyError(parsed.error), 'invalid_request');
  return parsed.data;
}

/** The parsed input; throws when the role may not make the call, or the input is not what the contract says. */
function allowedInput<Name extends OperatorCallName>(
  role: OperatorRole,
  name: Name,
  input: unknown,
): ParsedInput<Name> {
  if (!mayCall(role, name)) throw new OperatorRefusal(`The role ${role} may not do this (${name}).`, 'forbidden');
  const parsed = schemas[name].input.safeParse(input);
  if (!parsed.success) throw new OperatorRefusal(z.prettifyError(parsed.error), 'invalid_request');
  return parsed.data;
}
