import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { AppModule } from './app.module.js';

const app = await NestFactory.create<NestFastifyApplication>(
  AppModule,
  new FastifyAdapter({ forceCloseConnections: true }),
  { logger: ['error'] },
);
app.useBodyParser('application/octet-stream');
app.enableShutdownHooks(['SIGTERM']);
await app.listen(Number(process.env.PORT), process.env.HOST ?? '127.0.0.1');
