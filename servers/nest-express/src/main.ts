import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { AppModule } from './app.module.js';

const app = await NestFactory.create<NestExpressApplication>(AppModule, {
  logger: ['error'],
  forceCloseConnections: true,
});
app.useBodyParser('raw');
app.enableShutdownHooks(['SIGTERM']);
await app.listen(Number(process.env.PORT), process.env.HOST ?? '127.0.0.1');
