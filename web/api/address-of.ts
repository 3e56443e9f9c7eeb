import type { Call } from '#shared/contract/call.ts';
import { portalConfig } from '#web/api/config.ts';

/** The address of a call: its path under the backend's base address, with the parameters filled in. */
export function addressOf(definition: Call, { params, query }: { params?: unknown; query?: unknown }): string {
  const given = new Map(Object.entries(params ?? {}));
  const path = definition.path.replaceAll(/:([A-Za-z]+)/g, (_, name: string) => {
    const value: unknown = given.get(name);
    if (typeof value !== 'string') throw new Error(`${definition.name} needs ${name}`);
    return encodeURIComponent(value);
  });
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query ?? {})) if (value !== undefined) search.set(name, String(value));
  return `${portalConfig().backendUrl}${path}${search.size === 0 ? '' : `?${search.toString()}`}`;
}
