/** What `init` knows of a repository, and what it makes of it. */

/** Text files by their path from the repository's root, with "/" between folders. */
export type Sources = Map<string, string>;

/** A server that was found, and what is worth saying about it. */
export interface Found {
  id: string;
  /** How it was recognized: "Express in package.json". */
  seen: string;
  /** From the repository's root; '' is the root itself. */
  folder: string;
  runtime: string;
  install?: string;
  build?: string;
  start: string;
  env?: Record<string, string>;
  /** What git ignores and the server reads. */
  copy?: string[];
  readyTimeout?: string;
  needs: string[];
  route: Route;
  /** What its code lies in, where that is not the whole repository. */
  paths: string[];
  /** What its author should look at, one sentence each. */
  doubts: string[];
}

/** at: where it was found, "index.js:4"; absent where it is a guess. */
export interface Route {
  path: string;
  at?: string;
  method?: string;
  headers?: Record<string, string>;
  body?: string;
}

/** What a recognizer is given: a repository, and its name. */
export type Recognize = (sources: Sources, name: string) => Found[];
