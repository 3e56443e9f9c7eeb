interface Naming {
  /** The name of the second, third, … that wants the same. */
  numbered: (wanted: string, number: number) => string;
  /** Names with the same key are taken for one. */
  keyOf: (name: string) => string;
}

const usual: Naming = { numbered: (wanted, number) => `${wanted}-${number}`, keyOf: (name) => name };

/** Gives each name once: the second gets a number. A stranger's document may want one name for all: where the search for it ended is kept. */
export function uniqueNames({ numbered, keyOf }: Naming = usual): (wanted: string) => string {
  const taken = new Set<string>();
  const next = new Map<string, number>();
  return (wanted) => {
    let name = wanted;
    let number = next.get(keyOf(wanted)) ?? 2;
    for (; taken.has(keyOf(name)); number += 1) name = numbered(wanted, number);
    next.set(keyOf(wanted), number);
    taken.add(keyOf(name));
    return name;
  };
}
