import { join, resolve } from 'node:path';
import { z } from 'zod';
import { startEmbedded } from '#shared/database/embedded.ts';
import { fillDemo } from './fill.ts';

const settings = z
  .object({
    addresses: z.object({
      portal: z.string(),
      gateway: z.string(),
      google: z.string({ error: 'the demo needs the stand-in for Google' }),
      razorpay: z.string({ error: 'the demo needs the stand-in for Razorpay' }),
    }),
    dataDir: z.string(),
  })
  .parse(JSON.parse(process.env['DEMO'] ?? 'null'));

const { portal, gateway, google, razorpay } = settings.addresses;
const dataDir = resolve(settings.dataDir);
// It is already running: this attaches to it.
const { databaseUrl } = await startEmbedded({ dataDir, logFile: join(dataDir, 'logs', 'postgres.log') });
const place = { portalUrl: portal, gatewayUrl: gateway, googleUrl: google, razorpayUrl: razorpay };
const began = Date.now();
const isTerminal = process.stdout.isTTY;
const filled = await fillDemo(place, databaseUrl, (day) => {
  if (isTerminal) process.stdout.write(`\r  Playing a year of customers … ${day} `);
});
const words = filled
  ? `${isTerminal ? '\r' : ''}  ✓ A year of customers, played in ${Math.round((Date.now() - began) / 1000)} s

  Sign in as Asha Rao (a year of plans), Imran Qureshi (a declined payment), Meenakshi Sundaram (a trial),
  Gurpreet Singh Gill (refunds), Rohan D’Souza (paid ahead) or Lalrinpuii Hmar (nothing yet).
`
  : '  The portal already has customers. Nothing was changed.';
process.stdout.write(`${words}\n`);
