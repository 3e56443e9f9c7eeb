import { fileURLToPath } from 'node:url';
import { join } from 'node:path';

/** React Router without its warnings for developers, which its default export has even in a production build. */
export const reactRouter = {
  find: /^react-router$/,
  replacement: join(fileURLToPath(import.meta.resolve('react-router')), '../../production/index.mjs'),
};
