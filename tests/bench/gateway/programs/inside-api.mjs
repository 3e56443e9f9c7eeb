/** The minimum that an API inside the gateway can do for a call. */
export const mount = async () => ({
  handle: (_req, res) => res.writeHead(200, { 'Content-Type': 'application/json' }).end('{"ok":true}'),
  read: async () => ({ status: 404, body: Buffer.from('') }),
  close: async () => {},
});
