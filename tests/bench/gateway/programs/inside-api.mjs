/** The minimum that an API inside the gateway can do for a call. */
const response = { status: 200, headers: ['Content-Type', 'application/json'], body: '{"ok":true}' };
export const mount = async () => ({ respond: () => response, close: async () => {} });
