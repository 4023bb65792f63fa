/** What came of work, and whether nothing else waits for its turn under the same name. */
export interface Turn<T> {
  readonly result: T;
  readonly isLast: boolean;
}

/** Does what is asked for under one name in its turn, so that what was asked for last also comes last. */
export class Turns {
  private readonly last = new Map<string, Promise<unknown>>();

  /** Do a piece of work that does not fail once what was asked for before is done. */
  async take<T>(name: string, work: () => Promise<T>): Promise<Turn<T>> {
    const mine = (this.last.get(name) ?? Promise.resolve()).then(work);
    this.last.set(name, mine);
    const result = await mine;
    const isLast = this.last.get(name) === mine;
    if (isLast) this.last.delete(name);
    return { result, isLast };
  }

  isWaiting(name: string): boolean {
    return this.last.has(name);
  }
}
