/** The methods that each path of a server supports, for 405 responses. */
export interface AllowedMethods {
  /** `url`: with parameters as `:name`. */
  add: (url: string, methods: string | readonly string[]) => void;
  /** The methods for the path of a request; empty if there is no such path. */
  of: (url: string) => string[];
}

export function createAllowedMethods(): AllowedMethods {
  const routes: { segments: string[]; methods: readonly string[] }[] = [];
  return {
    add: (url, methods) => void routes.push({ segments: url.split('/'), methods: [methods].flat() }),
    of: (url) => {
      const [path = ''] = url.split('?', 1);
      const called = path.split('/');
      const matching = routes.filter(
        ({ segments }) =>
          segments.length === called.length &&
          segments.every((each, index) => each === called[index] || (each.startsWith(':') && called[index] !== '')),
      );
      return [...new Set(matching.flatMap(({ methods }) => methods))].toSorted();
    },
  };
}
