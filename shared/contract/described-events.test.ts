import { expect, test } from 'vitest';
import { describeWebhooks } from './described-events.ts';
import { webhookBodySchema, webhookEventTypes } from './webhook-events.ts';

test('every event is described with its headers and an example that is one', () => {
  const described = describeWebhooks('weather', 'draft-2020-12');
  expect(Object.keys(described)).toEqual(webhookEventTypes);
  for (const type of webhookEventTypes) {
    const { parameters, requestBody } = described[type]?.post ?? {};
    expect(parameters?.map(({ name }) => name)).toEqual(['webhook-id', 'webhook-timestamp', 'webhook-signature']);
    const { schema, example } = requestBody?.content['application/json'] ?? {};
    expect(webhookBodySchema(type).safeParse(example)).toMatchObject({ success: true });
    expect(schema).toMatchObject({ properties: { type: { const: type }, data: { required: expect.anything() } } });
  }
});

test('documents of OpenAPI 3.0 get schemas of 3.0', () => {
  const text = JSON.stringify(describeWebhooks('weather', 'openapi-3.0'));
  expect(text).toContain('"nullable":true');
  expect(text).not.toMatch(/"const":|"type":"null"|\$schema/);
});
