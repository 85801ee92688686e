/** @import { Proxy, ProxyOptions } from '../proxies.js' */

import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { freePort, HOST } from '../../../system/free-port.js';
import { startService, untilServiceAnswers } from '../../services/ready.js';

/** Never close a connection for the number of its requests. */
const ENDLESS_REQUESTS = 1_000_000_000;
/** Node closes idle connections after five seconds; closing them sooner avoids sending into a closing one. */
const IDLE_SECONDS = 4;
/** Beside those from clients and those to the server. */
const SPARE_CONNECTIONS = 64;

/** As its manual advises, it keeps connections to the server open and logs nothing. @type {Proxy} */
export const nginx = {
  program: 'nginx',
  folders: ['/usr/sbin', '/usr/local/sbin'],
  package: 'nginx',
  versionArgument: '-v',
  async start({ program, folder, signal, ...options }) {
    const port = await freePort();
    await mkdir(join(folder, 'temp'));
    const file = join(folder, 'nginx.conf');
    await writeFile(file, configuration({ ...options, folder, listen: `${options.address}:${port}` }));
    const group = await startService([program, '-p', folder, '-c', file], folder);
    await untilServiceAnswers(group, signal, async () => {
      const socket = connect(port, HOST);
      await once(socket, 'connect');
      socket.destroy();
    });
    return { group, port };
  },
};

/** @param {Omit<ProxyOptions, 'program' | 'address' | 'signal'> & { listen: string }} options */
function configuration({ port, listen, connections, folder, certificate }) {
  const mostConnections = 2 * connections + SPARE_CONNECTIONS;
  const temp = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
  return `daemon off;
${process.getuid?.() === 0 ? 'user root;\n' : ''}worker_processes auto;
pid "${folder}/nginx.pid";
error_log stderr warn;
worker_rlimit_nofile ${2 * mostConnections};
events { worker_connections ${mostConnections}; }
http {
  access_log off;
  ${temp.map((name) => `${name}_temp_path "${folder}/temp/${name}";`).join('\n  ')}
  keepalive_requests ${ENDLESS_REQUESTS};
  upstream server {
    server ${HOST}:${port};
    keepalive ${connections};
    keepalive_requests ${ENDLESS_REQUESTS};
    keepalive_timeout ${IDLE_SECONDS}s;
  }
  server {
    listen ${listen}${certificate ? ' ssl' : ''};
    ${certificate ? `ssl_certificate "${certificate.certificate}";\n    ssl_certificate_key "${certificate.key}";` : ''}
    client_max_body_size 0;
    location / {
      proxy_pass http://server;
      proxy_http_version 1.1;
      proxy_set_header Connection "";
      proxy_set_header Host $host;
    }
  }
}
`;
}
