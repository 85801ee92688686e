import 'reflect-metadata';
import { Controller, Get, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { format } from '@shop/money';

const STOCK = [
  { name: 'shoe', cents: 5990 },
  { name: 'hat', cents: 2505 },
];

@Controller('stock')
class StockController {
  @Get()
  all() {
    return STOCK.map(({ name, cents }) => ({ name, price: format(cents) }));
  }
}

@Module({ controllers: [StockController] })
class AppModule {}

const app = await NestFactory.create(AppModule, { logger: ['error'] });
await app.listen(process.env.PORT ?? 3000, process.env.HOST ?? '127.0.0.1');
