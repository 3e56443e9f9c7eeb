import { createServer as createHttpServer } from 'node:http';
import { createServer } from 'vite';
import { expect, test } from 'vitest';
import { configOfPortal } from './config-of-portal.ts';

test('a page served by Vite contains the configuration of the running portal', async () => {
  const config = '<script type="application/json" id="portal-config">{"standins":true}</script>';
  const portal = createHttpServer((_request, response) => response.end(`<html>${config}</html>`));
  await new Promise<void>((resolve) => portal.listen(0, '127.0.0.1', resolve));
  const address = portal.address();
  if (address === null || typeof address === 'string') throw new Error('The portal has no port');
  const vite = await createServer({
    configFile: false,
    logLevel: 'silent',
    server: { middlewareMode: true, ws: false },
    plugins: [configOfPortal(`http://127.0.0.1:${address.port}`)],
  });
  try {
    expect(await vite.transformIndexHtml('/', '<html><!--portal-config--></html>')).toContain(config);
  } finally {
    await vite.close();
    portal.close();
  }
});
