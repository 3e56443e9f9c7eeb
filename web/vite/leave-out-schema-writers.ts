import type { Plugin } from 'vite';

const writesSchemas = /zod\/v4\/core\/(json-schema-processors|to-json-schema)\.js$/;

/** zod attaches JSON schema writers to every schema. Only the server uses them; pages get stubs, which saves over 5 KB. */
export function leaveOutSchemaWriters(): Plugin {
  return {
    name: 'leave-out-schema-writers',
    apply: 'build',
    transform(code, id) {
      if (!writesSchemas.test(id)) return undefined;
      const names = [...code.matchAll(/^export (?:const|function) (\w+)/gm)].map(([, name]) => name);
      const idle = names.map((name) => `export const ${name} = () => () => undefined;`).join('\n');
      return { code: `${idle}\nconst process = () => undefined;\nexport { process };\n`, map: null };
    },
  };
}
