/** A queue per owner, served round-robin, so that one owner's backlog never delays the others. */
export interface FairQueue<Owner, Item> {
  push: (owner: Owner, item: Item) => void;
  /**
   * Takes the first item of the owner whose turn it is; owners that `mayServe` rejects are skipped and keep their turn.
   */
  take: (mayServe?: (owner: Owner) => boolean) => Item | undefined;
  /** The first item of an owner. */
  first: (owner: Owner) => Item | undefined;
  remove: (owner: Owner, item: Item) => void;
  /** Takes all items at the front of each owner's queue for which `isDue` holds. */
  takeDue: (isDue: (item: Item) => boolean) => Item[];
  /**
   * Makes room in a full queue: takes the newest item of the owner with the most, unless the given owner would then have as many. So an owner
   * without items gets a place while another one has two.
   */
  makeRoomFor: (owner: Owner) => Item | undefined;
  size: () => number;
  /** How many items of one owner are queued. */
  sizeOf: (owner: Owner) => number;
}

export function createFairQueue<Owner, Item>(): FairQueue<Owner, Item> {
  // A map keeps insertion order: the first owner has its turn, then goes to the end with its remaining items.
  const lines = new Map<Owner, Item[]>();
  let size = 0;

  return {
    push: (owner, item) => {
      size += 1;
      const line = lines.get(owner);
      if (line === undefined) lines.set(owner, [item]);
      else line.push(item);
    },
    take: (mayServe = () => true) => {
      for (const [owner, line] of lines) {
        if (!mayServe(owner)) continue;
        size -= 1;
        const item = line.shift();
        lines.delete(owner);
        if (line.length > 0) lines.set(owner, line);
        return item;
      }
      return undefined;
    },
    first: (owner) => lines.get(owner)?.[0],
    remove: (owner, item) => {
      const line = lines.get(owner) ?? [];
      const place = line.indexOf(item);
      if (place === -1) return;
      size -= 1;
      line.splice(place, 1);
      if (line.length === 0) lines.delete(owner);
    },
    takeDue: (isDue) => {
      const due: Item[] = [];
      for (const [owner, line] of lines) {
        const kept = line.findIndex((item) => !isDue(item));
        due.push(...line.splice(0, kept === -1 ? line.length : kept));
        if (line.length === 0) lines.delete(owner);
      }
      size -= due.length;
      return due;
    },
    makeRoomFor: (owner) => {
      let most: Item[] = [];
      for (const line of lines.values()) if (line.length > most.length) most = line;
      if (most.length <= (lines.get(owner)?.length ?? 0) + 1) return undefined;
      size -= 1;
      return most.pop();
    },
    size: () => size,
    sizeOf: (owner) => lines.get(owner)?.length ?? 0,
  };
}
