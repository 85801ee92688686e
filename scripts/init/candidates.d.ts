/** Shapes of `init`: what it reads of a repository, and the servers that it recognizes. */

/** Text files by path from the repository's root, with "/" between folders. */
export type Sources = Map<string, string>;

/** The part of a repository that may hold a server: a package, a module, a project. */
export interface Project {
  /** All files of the repository. */
  sources: Sources;
  /** Files of the project, with the libraries of the repository that it uses. */
  own: Sources;
  /** From the repository's root; '' is the root itself. */
  folder: string;
  /** Names of the packages it depends on (Node). */
  dependencies?: string[];
  /** A package of Node: its package.json, and how its scripts are run. */
  node?: { manifest: Manifest; run: string };
  /** Text of its build or dependency files (other languages). */
  manifest?: string;
  /** The variables of the address and the user of its SQL database (Java). */
  jdbc?: [address: string, user: string];
}

/** A service that a server may need, and its address in variables of the server's. */
export interface Needable {
  id: string;
  assignments: Record<string, string>;
}

/** names: of variables in the sources; values: of the authors' example; files: of settings, to copy. */
export interface Settings {
  names: string[];
  example?: string;
  values: Record<string, string>;
  files: string[];
}

/** What only a start tells, the likeliest first. */
export interface Tries {
  /** Start lines. */
  commands: string[];
  /** Paths of pages; and those that may be routes, asked where its process and a listing do not tell. */
  pages: string[];
  words: string[];
  listing?: string;
  services: Needable[];
  /** Commands that fill its database. */
  migrations: string[];
  /** What makes it listen on PORT. */
  options: string[];
  settings: Settings;
}

/** A server that `init` recognized. */
export interface Candidate {
  id: string;
  /** Why `init` takes it for a server: "Express in package.json". */
  evidence: string;
  /** From the repository's root; '' is the root itself. */
  folder: string;
  runtime: string;
  /** Its own version of Node. */
  node?: string;
  install?: string;
  build?: string;
  env?: Record<string, string>;
  readyTimeout?: string;
  /** Globs of its code, where that is not the whole repository. */
  paths: string[];
  /** What its author has to look at, one sentence each. */
  toDos: string[];
  tries: Tries;
}

/** What is written of a server. */
export interface Written extends Candidate {
  setup?: string;
  /** Absent where nothing says which of `starts` it is. */
  start?: string;
  starts?: string[];
  /** Files that git ignores and the server reads. */
  copy?: string[];
  /** Ids of the services that run beside it. */
  needs: string[];
  routes: Route[];
  /** For its author to choose from. */
  otherRoutes: Route[];
  /** A login among its routes. */
  login?: string;
  /** Of its runtime, when it was tried. */
  version?: string;
  /** What a try showed, in one line; absent: it was not tried. */
  tried?: string;
}

/** What a language knows of a server. */
export interface Program extends Omit<Candidate, 'paths' | 'toDos' | 'tries'> {
  commands: string[];
  migrations?: string[];
  listing?: string;
  /** Absent: its folder. */
  paths?: string[];
  toDos?: string[];
}

export interface Route {
  path: string;
  /** What its author has to write or check before it answers. */
  toDo?: string;
  method?: string;
  headers?: Record<string, string>;
  body?: string;
}

/** A package.json. */
export interface Manifest {
  name?: string;
  private?: boolean;
  keywords?: string[];
  files?: string[];
  main?: string;
  exports?: unknown;
  module?: string;
  scripts?: Record<string, string>;
  dependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
  peerDependencies?: Record<string, string>;
  peerDependenciesMeta?: Record<string, { optional?: boolean }>;
  packageManager?: string;
  engines?: { node?: string };
  workspaces?: string[] | { packages?: string[] };
}

/** Finds servers of one kind. Programs in `preferredFolder`, a folder, go before others. */
export type Recognize = (sources: Sources, name: string, preferredFolder?: string) => Candidate[];

/** A framework: the first row that a project fits names its server. */
export interface Framework {
  /** Empty: as its package. */
  name: string;
  /** Names of packages (Node), or text of the manifest. */
  needs: RegExp;
  /** In its code; Python: what creates the application, its name in the first or second group. */
  code?: RegExp;
  /** The command, if no script has one. Rust: what precedes it; Java: the options of host and port. */
  start?: string;
  /** Scripts that show that it is used, where a dependency is not enough. */
  tool?: RegExp;
  /** What extends it, in words, and a server that uses the import `library`. */
  library?: { what: string; server: string };
}

export interface PythonFramework extends Framework {
  /** The package that runs it. */
  server: string;
  serve: (app: { place: string; reference: string; isFactory: boolean }) => string;
}

export interface JavaFramework extends Framework {
  /** In target/ and build/, "*.jar" for the artifact's name; Gradle's task. */
  jar: { maven: string; gradle: string; task: string };
  database: Required<Project>['jdbc'];
}
