import { readAccount } from '#shared/contract/account.ts';
import { operatorCalls } from '#shared/contract/operator/calls.ts';
import type { TestOperators } from './operators.ts';
import type { TestPortal } from './portal.ts';

/** Operators who see a test portal as a customer. */
export function testViews({ portalUrl, ask }: TestPortal, operators: TestOperators) {
  let people = 0;
  /** Signs in an operator of whom nobody knows yet. */
  const signIn = async () => {
    const email = `support-${(people += 1)}@kaveri.example`;
    return { email, session: await operators.signedIn(email, 'support') };
  };

  const customerOf = async (token: string) => (await ask(readAccount, {}, token)).user.id;

  /** Begins a view, and returns its token. */
  const see = async (session: string, customerId: string): Promise<string> => {
    const { body } = await operators.act(session, 'seeAsCustomer', { customerId }, { reason: 'Invoice unclear' });
    const { link } = operatorCalls.seeAsCustomer.reply.parse(body);
    return link?.replace('/#view=', '') ?? '';
  };

  const send = async (path: string, token: string, method = 'GET', sent?: unknown) => {
    const response = await fetch(path.startsWith('http') ? path : portalUrl + path, {
      method,
      headers: { authorization: `Bearer ${token}`, ...(sent !== undefined && { 'content-type': 'application/json' }) },
      ...(sent !== undefined && { body: JSON.stringify(sent) }),
    });
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.includes('json') === true && text !== '';
    const body: unknown = isJson ? JSON.parse(text) : text;
    return { status: response.status, body };
  };

  return { signIn, customerOf, see, send };
}
