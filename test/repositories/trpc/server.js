import { initTRPC } from '@trpc/server';
import { createHTTPServer } from '@trpc/server/adapters/standalone';

const t = initTRPC.create();
const greetings = t.router({
  loud: t.procedure.query(() => 'HELLO'),
});
const app = t.router({ greetings });

createHTTPServer({ router: app }).listen(Number(process.env.PORT ?? 3000));
