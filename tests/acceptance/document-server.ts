import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { sample } from 'openapi-sampler';
import { z } from 'zod';
import { type OpenApiDocument, type Operation, operationsOf } from '#catalog/openapi-document.ts';

/** A small API that responds as its OpenAPI document says: with its examples, or samples of its schemas. */
export interface DocumentServer {
  url: string;
  /** Lets an event stream go on to its next event. */
  release: () => void;
  close: () => Promise<void>;
}

const parameters = z.array(z.looseObject({ in: z.string(), name: z.string(), required: z.boolean().default(false) }));
const media = z.looseObject({
  schema: z.looseObject({}).optional(),
  example: z.unknown().optional(),
  examples: z.record(z.string(), z.looseObject({ value: z.unknown() })).optional(),
});
const response = z.looseObject({ content: z.record(z.string(), media).default({}) });

/** Starts it. With `authorization`, calls need that header, as its security scheme says. */
export async function startDocumentServer(
  document: OpenApiDocument,
  { authorization }: { authorization?: string } = {},
): Promise<DocumentServer> {
  const waiting: (() => void)[] = [];
  const gate = () => new Promise<void>((resolve) => waiting.push(resolve));
  const server = createServer((req, res) => {
    if (authorization !== undefined && req.headers.authorization !== authorization) {
      res.writeHead(401).end('who are you?');
      return;
    }
    void respond(document, req, res, gate);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}`,
    release: () => waiting.shift()?.(),
    close: async () => {
      server.closeAllConnections();
      await once(server.close(), 'close');
    },
  };
}

async function respond(
  document: OpenApiDocument,
  req: IncomingMessage,
  res: ServerResponse,
  gate: () => Promise<void>,
): Promise<void> {
  const url = new URL(req.url ?? '/', 'http://localhost');
  const operation = findOperation(document, url.pathname, req.method ?? 'GET');
  if (operation === undefined) return void res.writeHead(404).end();
  const missing = parameters
    .parse(operation.parameters ?? [])
    .find(({ in: place, name, required }) => required && place === 'query' && !url.searchParams.has(name));
  if (missing !== undefined) return void res.writeHead(400).end(`${missing.name} is missing`);
  const { content } = response.parse(operation.responses?.['200'] ?? {});
  const types = Object.keys(content);
  const accepted = types.find((type) => req.headers.accept?.includes(type)) ?? types.find((type) => /json/.test(type));
  if (accepted === undefined) return void res.writeHead(406).end();
  const example = exampleOf(document, content[accepted]);
  res.writeHead(200, { 'content-type': accepted });
  if (accepted !== 'text/event-stream') return void res.end(JSON.stringify(example));
  // One event per sentence; each waits until the one before has arrived.
  const [first = '', ...rest] = String(example).split(/(?<=[.,]) /);
  res.write(`data: ${first}\n\n`);
  for (const sentence of rest) {
    await gate();
    res.write(`data: ${sentence}\n\n`);
  }
  res.end();
}

function findOperation(document: OpenApiDocument, path: string, method: string): Operation | undefined {
  for (const [template, item] of Object.entries(document.paths)) {
    const form = new RegExp(`^${template.replaceAll(/\{[^}]+\}/g, '[^/]+')}$`);
    const found = operationsOf(item).find(([name]) => name === method.toLowerCase());
    if (form.test(path) && found !== undefined) return found[1];
  }
  return undefined;
}

function exampleOf(document: OpenApiDocument, given: z.output<typeof media> | undefined): unknown {
  if (given?.example !== undefined) return given.example;
  const [named] = Object.values(given?.examples ?? {});
  if (named !== undefined) return named.value;
  return sample(given?.schema ?? {}, { quiet: true }, document);
}
