/** Installs the engine of ClickHouse beside the project, unless it is there; returns the address of its module. */
export function getEngine(): Promise<string>;
