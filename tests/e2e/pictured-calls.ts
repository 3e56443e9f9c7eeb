import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { listActivations } from '#shared/contract/activations.ts';
import { createApiKey } from '#shared/contract/api-keys.ts';
import { createSupportThread, replyToSupport } from '#shared/contract/support.ts';
import { createWebhook, testWebhook } from '#shared/contract/webhooks.ts';
import { type PortalPlace, signInCustomer } from '#ship/demo/portal-customer.ts';
import { callPath } from './customer-calls.ts';

/** Calls that succeed, that find nothing, and that are invalid. */
const paths = ['gstin/27AAPFU0939F1ZV', 'hsn/8471', 'gstin/27AAPFU0939F1ZX', 'hsn/998314', 'nowhere'];

/**
 * Adds what the demo's history lacks: calls through the gateway, for the request log, a thread with support, and a
 * webhook with an accepted and a failed delivery.
 * @returns the customer's webhook receiver, to be closed
 */
export async function makeCallsAndWebhook(place: PortalPlace, account: string): Promise<Server> {
  const customer = await signInCustomer(place, { account });
  const { activations } = await customer.send(listActivations, {});
  const activationId = activations.find(({ service }) => service.id === 'tax-lookup-api')?.id ?? '';
  const { apiKey } = await customer.send(createApiKey, { params: { activationId }, body: { keyName: 'pos' } });
  for (const path of paths) await callPath(place, apiKey, path);

  const { id: threadId } = await customer.send(createSupportThread, {
    body: { subject: 'A call took 30 seconds', message: 'It was at 11:04. Is something wrong?', activationId },
  });
  await customer.send(replyToSupport, { params: { threadId }, body: { message: 'It has not happened again since.' } });

  let taken = 0;
  const receiver = createServer((_request, response) => {
    taken += 1;
    response.statusCode = taken === 1 ? 200 : 503;
    response.end(taken === 1 ? 'received' : 'Service Unavailable');
  }).listen(0, '127.0.0.1');
  await once(receiver, 'listening');
  const address = receiver.address();
  const port = typeof address === 'object' ? (address?.port ?? 0) : 0;
  const { webhook } = await customer.send(createWebhook, {
    body: { url: `http://127.0.0.1:${port}/octroi`, events: ['quota.reached', 'invoice.issued'] },
  });
  for (let count = 0; count < 2; count += 1) {
    const answered = once(receiver, 'request');
    await customer.send(testWebhook, { params: { webhookId: webhook.id } });
    await answered;
  }
  return receiver;
}
