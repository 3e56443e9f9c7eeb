import { readAccount } from '#shared/contract/account.ts';
import { createApiKey } from '#shared/contract/api-keys.ts';
import { activatePlan } from '#shared/contract/marketplace.ts';
import { switchCustomer } from '#shared/contract/members.ts';
import { readTwoStep } from '#shared/contract/two-step.ts';
import { sha256 } from '#server/crypto/ids.ts';
import type { TestAuthenticator, testPasskeys } from '#server/test/passkeys.ts';
import { startTestPortal, type TestPortal } from '#server/test/portal.ts';

/** What tests of passkeys before what hurts (decision 083) do. */

export async function startTwoStepPortal(): Promise<TestPortal> {
  const portal = await startTestPortal({ jobs: false });
  // As a running portal has it, since what the provider sends is signed by whoever can read it.
  const secret = { name: 'download-links', secret: portal.portal.linkSecret };
  await portal.owner.db.insertInto('installation_secrets').values(secret).execute();
  return portal;
}

export const refused = (status: number, code: string) => ({ status, body: { code } });
export const needed = refused(403, 'passkey_needed');

export function companiesAt(at: () => { portal: TestPortal; passkeys: ReturnType<typeof testPasskeys> }) {
  let count = 0;
  const newEmail = () => `person${(count += 1)}@gmail.com`;

  /** A customer with a plan, who asks for passkeys; the owner has confirmed in this session. */
  async function newCompany() {
    const { portal, passkeys } = at();
    const owner = await portal.newCustomer();
    const plan = { params: { id: 'tax-lookup-api', planId: 'free' } };
    const { activationId } = await portal.ask(activatePlan, plan, owner);
    return { owner, activationId, ...(await passkeys.turnOn(owner)) };
  }

  const makeKey = (token: string, activationId: string, keyName: string) =>
    at().portal.send(createApiKey, { params: { activationId }, body: { keyName } }, token);
  const stateOf = (token: string) => at().portal.ask(readTwoStep, {}, token);

  const minutesPass = (token: string, minutes: number) =>
    at()
      .portal.owner.db.updateTable('sessions')
      .set({ proven_at: new Date(Date.now() - minutes * 60_000) })
      .where('token_hash', '=', sha256(token))
      .execute();

  /** Another session of the same person. */
  async function signInAgain(token: string): Promise<string> {
    const { portal } = at();
    const { id: customerId } = (await portal.ask(readAccount, {}, token)).user;
    return (await portal.ask(switchCustomer, { params: { customerId } }, token)).accessToken;
  }

  async function proven(token: string, authenticator: TestAuthenticator): Promise<string> {
    const { status } = await at().passkeys.prove(token, authenticator);
    if (status !== 200) throw new Error('not proven');
    return token;
  }

  return { newEmail, newCompany, makeKey, stateOf, minutesPass, signInAgain, proven };
}
