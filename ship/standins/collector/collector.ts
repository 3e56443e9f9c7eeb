import { once } from 'node:events';
import { createServer } from 'node:http';
import { z } from 'zod';

/** A span as a collector got it. */
export interface CollectedSpan {
  /** The process that sent it. */
  service: string;
  name: string;
  traceId: string;
  spanId: string;
  /** Empty for the first span of a trace. */
  parentSpanId: string;
  attributes: Readonly<Record<string, unknown>>;
  failed: boolean;
}

const valueSchema = z.union([
  z.object({ stringValue: z.string() }).transform(({ stringValue }) => stringValue),
  z.object({ intValue: z.coerce.number() }).transform(({ intValue }) => intValue),
  z.object({ doubleValue: z.number() }).transform(({ doubleValue }) => doubleValue),
  z.object({ boolValue: z.boolean() }).transform(({ boolValue }) => boolValue),
]);
const attributesSchema = z
  .array(z.object({ key: z.string(), value: valueSchema }))
  .default([])
  .transform((pairs) => Object.fromEntries(pairs.map(({ key, value }) => [key, value])));
const requestSchema = z.object({
  resourceSpans: z.array(
    z.object({
      resource: z.object({ attributes: attributesSchema }),
      scopeSpans: z.array(
        z.object({
          spans: z.array(
            z.object({
              name: z.string(),
              traceId: z.string().regex(/^[0-9a-f]{32}$/),
              spanId: z.string().regex(/^[0-9a-f]{16}$/),
              parentSpanId: z.string().default(''),
              attributes: attributesSchema,
              status: z.object({ code: z.number().default(0) }),
            }),
          ),
        }),
      ),
    }),
  ),
});
const failedStatus = 2;

/** An OpenTelemetry collector that takes traces by OTLP/HTTP with JSON and keeps them in memory. */
export async function startCollector() {
  const spans: CollectedSpan[] = [];
  const bodies: string[] = [];
  const server = createServer((req, res) => {
    const chunks: Buffer[] = [];
    req.on('data', (chunk: Buffer) => chunks.push(chunk));
    req.on('end', () => {
      if (req.method !== 'POST' || req.url !== '/v1/traces') return res.writeHead(404).end();
      const body = Buffer.concat(chunks).toString();
      const parsed = requestSchema.safeParse(JSON.parse(body));
      if (!parsed.success) return res.writeHead(400).end(parsed.error.message);
      bodies.push(body);
      for (const { resource, scopeSpans } of parsed.data.resourceSpans)
        for (const { status, ...span } of scopeSpans.flatMap((scope) => scope.spans))
          spans.push({
            ...span,
            service: String(resource.attributes['service.name']),
            failed: status.code === failedStatus,
          });
      return res.writeHead(200, { 'content-type': 'application/json' }).end('{}');
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = z.object({ port: z.number() }).parse(server.address());
  return {
    url: `http://127.0.0.1:${port}`,
    spans,
    /** Everything received, as it was sent. */
    received: () => bodies.join('\n'),
    close: async () => {
      server.closeAllConnections();
      await once(server.close(), 'close');
    },
  };
}
