/**
 * Rust and .NET: a server for each package or project that depends on a framework.
 * @import { Recognize } from '../types.js'
 */

import { posix } from 'node:path';
import { quoted } from '../../system/process/shell.js';
import { filesNamed, foldersAbove, idOf, joinedText, nameOf, projectsIn } from '../folders.js';
import { RUST } from '../frameworks.js';
import { completed } from '../server.js';

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
      id: idOf(name),
      evidence: `${framework.name} in ${posix.join(folder, 'Cargo.toml')}`,
      folder: root ?? folder,
      runtime: 'cargo',
      build: `cargo build --release${root === undefined ? '' : ` --package ${name}`}`,
      commands: [start],
      code: filesNamed(own, /\.rs$/),
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
    const [, written] =
      /\.UseUrls\(|\bapp\.Run\("https?:\/\/|\.Listen\w*\(\s*\w+\.?\w*,?\s*(\d+)/.exec(joinedText(own)) ?? [];
    return completed(project, {
      id: idOf(plain),
      evidence: `ASP.NET in ${file}`,
      folder,
      runtime: 'dotnet',
      // In bin, which no build reads.
      build: `dotnet publish ${quoted(nameOf(file))} --configuration Release --output bin/publish`,
      commands: [`ASPNETCORE_URLS=http://$HOST:$PORT dotnet ${quoted(`bin/publish/${assembly}.dll`)}`],
      code: filesNamed(own, /\.cs$/),
      ...(manifest.includes('..') && { paths: [] }),
      toDos: written ? [`its code listens on ${written}, which wins over ASPNETCORE_URLS`] : [],
    });
  });
}
