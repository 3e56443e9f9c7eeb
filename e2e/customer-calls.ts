import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import { activateService } from '#contract/marketplace.ts';
import { createSignInNonce, signIn } from '#contract/account.ts';
import { createApiKey } from '#contract/api-keys.ts';
import { readUsage } from '#contract/usage.ts';
import type { ProductPlace } from './product.ts';

/** A customer who acts without a browser, through the calls that the pages make. */
export interface CallingCustomer {
  activationId: string;
  apiKey: string;
  /** One call of the activated API; answers the status. */
  callApi: () => Promise<number>;
  /** Calls counted today. */
  countedToday: () => Promise<number>;
}

/** Signs somebody new in, activates the tax look-up for its trial, and takes a key. */
export async function newCallingCustomer(place: ProductPlace): Promise<CallingCustomer> {
  const send = async <Reply>(
    reply: z.ZodType<Reply>,
    method: string,
    path: string,
    token?: string,
    body?: unknown,
  ): Promise<Reply> => {
    const answer = await fetch(`${place.portalUrl}/backend${path}`, {
      method,
      headers: {
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}: ${text}`);
    return reply.parse(JSON.parse(text));
  };

  const { nonce } = await send(createSignInNonce.reply, 'POST', '/account/sign-in-nonce');
  const name = `Kabir ${randomBytes(4).toString('hex')}`;
  const signed = await fetch(`${place.googleUrl}/standin/token`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      nonce,
      claims: { sub: randomBytes(8).toString('hex'), name, email: `${name.replace(' ', '.')}@example.com` },
    }),
  });
  const { credential } = z.object({ credential: z.string() }).parse(await signed.json());
  const { accessToken } = await send(signIn.reply, 'POST', '/account/google-login', undefined, {
    googleIdToken: credential,
  });

  const chosen = { serviceId: 'tax-lookup-api', planId: 'trial' };
  const { activationId } = await send(
    activateService.reply,
    'POST',
    '/devportal/services/activate',
    accessToken,
    chosen,
  );
  const service = `/devportal/services/${activationId}`;
  const { apiKey } = await send(createApiKey.reply, 'POST', `${service}/apikeys/generate`, accessToken, {
    keyName: 'kept',
  });
  return {
    activationId,
    apiKey,
    callApi: async () => {
      const answer = await fetch(`${place.gatewayUrl}/tax-lookup/v1/gstin/27AAPFU0939F1ZV`, {
        headers: { 'x-api-key': apiKey },
      });
      await answer.arrayBuffer();
      return answer.status;
    },
    countedToday: async () => {
      const usage = await send(readUsage.reply, 'GET', `${service}/usage`, accessToken);
      return usage.insights.dailyUse.quotaUsed;
    },
  };
}
