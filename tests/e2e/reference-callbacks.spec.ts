import { openAs } from './signed-in.ts';
import { onPhone } from './tiers.ts';
import { expect, test } from './visitor.ts';

const event = { content: { 'application/json': { schema: { $ref: '#/components/schemas/Event' } } } };
const noted = { 200: { description: 'Noted.' }, default: { description: 'The event is sent again an hour later.' } };
const document = {
  openapi: '3.1.0',
  info: { title: 'Parcels', version: '1' },
  paths: {
    '/v1/parcels': {
      post: {
        operationId: 'sendParcel',
        summary: 'Send a parcel',
        responses: { 202: { description: 'Accepted.' } },
        callbacks: {
          arrived: {
            '{$request.body#/callbackUrl}': {
              post: {
                summary: 'The parcel arrived',
                description: 'Sent **once** for each parcel.',
                parameters: [{ name: 'X-Signature', in: 'header', required: true, schema: { type: 'string' } }],
                requestBody: event,
                responses: noted,
              },
            },
          },
        },
      },
    },
  },
  webhooks: { 'rate.changed': { post: { summary: 'Rates changed', requestBody: event, responses: noted } } },
  components: {
    schemas: {
      Event: {
        type: 'object',
        required: ['id', 'at'],
        properties: {
          id: { type: 'string', description: 'The same when it is sent again' },
          at: { type: 'string', format: 'date-time' },
          place: { type: 'object', properties: { city: { type: 'string', examples: ['Pune'] } } },
        },
      },
    },
  },
};

test(
  'the reference shows the callbacks of an operation, and the webhooks of an API on pages of their own',
  { tag: onPhone },
  async ({ page, visitor, product, isMobile }) => {
    await page.route(`${product.gatewayUrl}/gst-invoicing/openapi.json`, (route) =>
      route.fulfill({ json: document, headers: { 'access-control-allow-origin': '*' } }),
    );
    await openAs(page, visitor.customer, '/reference/invoicing-system/sendParcel');
    const callback = page.getByRole('button', { name: 'The parcel arrived' });
    await expect(page.getByText('{$request.body#/callbackUrl}')).toHaveCount(0);
    await callback.press('Enter');
    await expect(callback).toHaveAttribute('aria-expanded', 'true');
    await expect(page.getByText('{$request.body#/callbackUrl}')).toBeVisible();
    await expect(page.getByRole('list', { name: 'Headers and query' })).toContainText('X-Signature');
    const fields = page.getByRole('list', { name: 'Body fields' });
    await expect(fields).toContainText('The same when it is sent again');
    await expect(page.getByRole('region', { name: 'Example body' })).toContainText('"city": "Pune"');
    await expect(page.getByRole('row', { name: /Other/ })).toContainText('The event is sent again an hour later.');

    const nav = page.getByRole('navigation', { name: 'Endpoints' });
    if (isMobile) await nav.getByRole('button', { name: 'All endpoints' }).click();
    await nav.getByRole('searchbox').fill('rates');
    await nav.getByRole('link', { name: 'Rates changed' }).click();
    await expect(page).toHaveURL('/reference/invoicing-system/webhook~rate.changed');
    await expect(page.getByRole('heading', { level: 1, name: 'Rates changed' })).toBeVisible();
    await expect(page.getByText('POST Your server')).toBeVisible();
    await expect(page.getByRole('button', { name: 'Send request' })).toHaveCount(0);
    await page.reload();
    await expect(fields).toContainText('at');

    if (isMobile) await nav.getByRole('button', { name: 'All endpoints' }).click();
    await nav.getByRole('link', { name: 'Overview' }).click();
    await page.getByRole('main').getByRole('link', { name: 'Rates changed' }).last().click();
    await expect(page.getByRole('heading', { level: 1, name: 'Rates changed' })).toBeVisible();
  },
);
