import type { FastifyBaseLogger } from 'fastify';
import { z } from 'zod';
import type { PageHit } from '#shared/contract/public-pages.ts';
import { builtProgram } from '#shared/platform/built-program.ts';
import { LastingProcess } from '#shared/platform/lasting-process.ts';
import { ProcessFault } from '#shared/platform/worker-program.ts';
import type { MadePage, MakesPages } from './makes-pages.ts';
import type { SiteSource } from './site-source.ts';

type Given<Method extends keyof MakesPages> = Parameters<MakesPages[Method]>[0];
type Task = { [Method in keyof MakesPages]: { method: Method; given: Given<Method> } }[keyof MakesPages];
/** `renderer`: the file of what renders. */
export type PageTask = Task & { renderer: string };

/** A page that is asked for while so many others are made is refused: it would come too late. */
const maxWaiting = 300;

/** Makes the public pages in a process of its own: a page of an OpenAPI document of 20 MB takes a second, in which the portal would serve nobody. */
export class PageProcess implements MakesPages {
  private readonly process = new LastingProcess({
    program: builtProgram('page-worker'),
    // A document of 32 MB takes 400 MB.
    maxMemoryMb: 1536,
    // Nothing that one visitor asks for may keep the pages from others for long.
    silentMs: 15_000,
    onNote: (path) => (this.making = path),
  });
  /** What is being made: a page, or the outline of a document. */
  private making: string | undefined;
  /** What was made when the process was killed, which need not be its fault. */
  private suspects = new Set<string>();
  /** What ended the process: it is not made again. */
  private unshown: string[] = [];
  private readonly renderer: string;
  private readonly log: Pick<FastifyBaseLogger, 'warn'>;
  private source: SiteSource | undefined;

  constructor(renderer: string, log: Pick<FastifyBaseLogger, 'warn'>) {
    this.renderer = renderer;
    this.log = log;
  }

  async open(source: SiteSource): Promise<string[]> {
    this.unshown = [];
    this.suspects.clear();
    for (;;) {
      const { suspects, unshown } = this;
      const known = suspects.size + unshown.length;
      try {
        const pages = await this.askNoted({ method: 'open', given: { ...source, unshown } }, z.custom<string[]>());
        this.source = source;
        return pages;
      } catch (error) {
        // Tried again while it learns which document it must leave out.
        if (!(error instanceof ProcessFault) || suspects.size + unshown.length === known) throw error;
      }
    }
  }

  page(given: Given<'page'>): Promise<MadePage> {
    return this.askOpened({ method: 'page', given }, z.custom<MadePage>());
  }

  file(given: Given<'file'>): Promise<MadePage> {
    return this.askOpened({ method: 'file', given }, z.custom<MadePage>());
  }

  find(given: Given<'find'>): Promise<PageHit[]> {
    return this.askOpened({ method: 'find', given }, z.custom<PageHit[]>());
  }

  search(given: Given<'search'>): Promise<string> {
    return this.askOpened({ method: 'search', given }, z.custom<string>());
  }

  picture(given: Given<'picture'>): Promise<string | undefined> {
    return this.askOpened({ method: 'picture', given }, z.string().optional());
  }

  end(): void {
    this.process.end();
  }

  /** One that ended has taken what it knew with it. Tasks come in their order. */
  private openAgain(source: SiteSource): void {
    const given = { ...source, unshown: this.unshown };
    this.ask({ method: 'open', given }, z.custom<string[]>()).catch(() => undefined);
  }

  private async askOnce<Answer>(task: Task, answer: z.ZodType<Answer>): Promise<Answer> {
    if (!this.process.isRunning && this.source !== undefined) this.openAgain(this.source);
    return this.askNoted(task, answer);
  }

  private async askNoted<Answer>(task: Task, answer: z.ZodType<Answer>): Promise<Answer> {
    try {
      return await this.ask(task, answer);
    } catch (error) {
      if (error instanceof ProcessFault && error.reason !== 'busy') this.learn(error);
      throw error;
    } finally {
      // It answers what it was asked in turn, so that nothing is in the making.
      this.making = undefined;
    }
  }

  private learn(fault: ProcessFault): void {
    const { making } = this;
    if (making === undefined) return;
    const isItsFault = fault.reason === 'too_much' || this.suspects.has(making);
    this.suspects.add(making);
    if (isItsFault) this.unshown.push(making);
    this.log.warn(
      { err: fault, making },
      isItsFault ? 'it ended what makes the public pages, and is not made again' : 'what makes the public pages ended',
    );
  }

  private ask<Answer>(task: Task, answer: z.ZodType<Answer>): Promise<Answer> {
    return this.process.ask({ ...task, renderer: this.renderer }, answer);
  }

  private askOpened<Answer>(task: Task, answer: z.ZodType<Answer>): Promise<Answer> {
    if (this.process.waitingTasks >= maxWaiting)
      return Promise.reject(new ProcessFault('busy', `${maxWaiting} public pages wait already`));
    return this.askOnce(task, answer).catch((error: unknown) => {
      // Ended by a page, which is known now.
      if (error instanceof ProcessFault && error.reason !== 'busy') return this.askOnce(task, answer);
      throw error;
    });
  }
}
