import { mkdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

/**
 * express-gateway with its proxy and rate-limit policies. Its limit applies to all keys of a path, so calls with a
 * limit use /limited.
 */
const load = createRequire(join(process.env.PACKAGES, 'package.json'));
const folder = join(process.env.FOLDER, 'config');
const keys = JSON.parse(load('node:fs').readFileSync(process.env.KEYS_FILE, 'utf8'));
const quota = Math.min(...Object.values(keys));
const pipeline = (name, max) => `
  ${name}:
    apiEndpoints: [${name}]
    policies:
      - rate-limit:
          - action: { max: ${max}, windowMs: 86400000, delayAfter: 0, rateLimitBy: "\${req.headers['x-api-key']}" }
      - proxy:
          - action: { serviceEndpoint: product }`;
mkdirSync(join(folder, 'models'), { recursive: true });
writeFileSync(
  join(folder, 'gateway.config.yml'),
  `http: { port: ${process.env.PORT}, hostname: 127.0.0.1 }
apiEndpoints:
  open: { host: '*', paths: ['/', '/tax-lookup/*'] }
  limited: { host: '*', paths: '/limited/*' }
serviceEndpoints:
  product: { url: '${process.env.PRODUCT_URL}' }
policies: [proxy, rate-limit]
pipelines:${pipeline('open', 1_000_000_000)}${pipeline('limited', quota)}
`,
);
writeFileSync(
  join(folder, 'system.config.yml'),
  'db: { redis: { emulate: true, namespace: EG } }\nsession: { storeProvider: session-file-store, secret: bench }\naccessTokens: { timeToExpiry: 7200000 }\ncrypto: { cipherKey: bench, algorithm: aes256, saltRounds: 10 }\n',
);
for (const name of ['users', 'applications', 'credentials']) {
  const model = load(`express-gateway/lib/config/models/${name}.json`);
  writeFileSync(join(folder, 'models', `${name}.json`), JSON.stringify(model));
}
process.env.LOG_LEVEL = 'error';
await load('express-gateway')().load(folder).run();
