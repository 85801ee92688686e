/**
 * Rust, .NET, Go: a server for each package or project with a framework; of Go, each program that opens one.
 * @import { Recognize } from '../candidates.js'
 */

import { posix } from 'node:path';
import { quoted } from '../../system/process/shell.js';
import { folderOf, foldersAbove, idOf, isBelow, nameOf, projectsIn } from '../source-tree.js';
import { RUST } from '../frameworks.js';
import { completed } from '../server.js';

/** http.ListenAndServe(":8080", nil), router.Run(), app.Listen(":3000"), e.Start(":1323"), http.Serve(l). */
const OPENS = /\bListenAndServe|\.Run\(|\.Listen\(|\.Start\(|http\.Serve\b/;
/** Programs that lie beside a server: cmd/migrate, cmd/load-test. */
const NO_SERVER = /(^|[/_-])(cli|clients?|migrat\w*|seed\w*|tools?|gen\w*|bench\w*|load\w*|worker)$/;

/** @type {Recognize} */
export function findRust(sources) {
  return projectsIn(sources, /^Cargo\.toml$/).flatMap((project) => {
    const { own, folder, manifest } = project;
    const framework = RUST.find(({ needs }) => needs.test(manifest));
    const [, name] = /^\[package\][^[]*?^name\s*=\s*"([^"]+)"/m.exec(manifest) ?? [];
    const [, binary = name] =
      /^default-run\s*=\s*"([^"]+)"/m.exec(manifest) ??
      /^\[\[bin\]\][^[]*?^name\s*=\s*"([^"]+)"/m.exec(manifest) ??
      [];
    const programs = [...own].filter(([file, text]) => file.endsWith('.rs') && /\bfn main\(\)/.test(text));
    if (!framework || !name || !binary || programs.length === 0) return [];
    const isRoot = (/** @type {string} */ above) =>
      /^\[workspace\]/m.test(sources.get(posix.join(above, 'Cargo.toml')) ?? '');
    const root = foldersAbove(folder).findLast(isRoot);
    const start = `${framework.start ?? ''}./target/release/${binary}`;
    return completed(project, {
      id: name,
      evidence: `${framework.name || framework.needs.exec(manifest)?.[0]} in ${posix.join(folder, 'Cargo.toml')}`,
      folder: root ?? folder,
      runtime: 'cargo',
      build: `cargo build --release${root === undefined ? '' : ` --package ${name}`}`,
      commands: [start],
      ...((root !== undefined || manifest.includes('../')) && { paths: [] }),
    });
  });
}

/** @type {Recognize} */
export function findDotnet(sources) {
  return projectsIn(sources, /\.[cf]sproj$/).flatMap((project) => {
    const { own, folder, manifest } = project;
    const file = [...own.keys()].find((each) => /\.[cf]sproj$/.test(each)) ?? '';
    if (!/Sdk="Microsoft\.NET\.Sdk\.Web"/.test(manifest)) return [];
    const plain = nameOf(file).replace(/\.[cf]sproj$/, '');
    const [, assembly = plain] = /<AssemblyName>([\w.-]+)<\/AssemblyName>/.exec(manifest) ?? [];
    return completed(project, {
      id: plain,
      evidence: `ASP.NET in ${file}`,
      folder,
      runtime: 'dotnet',
      // In bin, which no build reads.
      build: `dotnet publish ${quoted(nameOf(file))} --configuration Release --output bin/publish`,
      commands: [`ASPNETCORE_URLS=http://$HOST:$PORT dotnet ${quoted(`bin/publish/${assembly}.dll`)}`],
      ...(manifest.includes('..') && { paths: [] }),
    });
  });
}

/** @type {Recognize} */
export function findGo(sources, name) {
  return projectsIn(sources, /^go\.mod$/).flatMap(({ own, folder, ...module }) => {
    const foldersOf = (/** @type {RegExp} */ sign) =>
      new Set([...own].filter(([, text]) => sign.test(text)).map(([file]) => folderOf(file)));
    const opening = foldersOf(OPENS);
    const mains = foldersOf(/^package main$[^]*\bfunc main\(\)/m);
    const programs = [...mains].filter((each) => !NO_SERVER.test(each));
    const servers = programs.filter((each) => opening.has(each));
    // Indirect modules are those that others need.
    const manifest = module.manifest.replace(/^.*\/\/ indirect.*$/gm, '');
    const project = { sources, own, folder, manifest };
    return (servers.length > 0 || opening.size === 0 ? servers : programs).map((program) => {
      const place = posix.relative(folder, program);
      // All programs of a module are built in one checkout.
      const binary = `bin/${idOf(place || name)}`;
      return completed(project, {
        id: idOf(posix.basename(program.replace(/(^|\/)(cmd|src|main)$/, '')) || name),
        evidence: `Go in ${posix.join(program, 'main.go')}`,
        folder,
        runtime: 'go',
        build: `go build -o ${binary} ${place ? quoted(`./${place}`) : '.'}`,
        commands: [`./${binary}`],
        // Modules beside its folder are a part of it.
        ...((isBelow('go.work', project) || manifest.includes('../')) && { paths: [] }),
      });
    });
  });
}
