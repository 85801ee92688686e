import 'reflect-metadata';
import { Controller, Get, Module, Param, ParseIntPipe } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { format } from '@shop/money';

@Controller('orders')
class OrdersController {
  @Get(':id')
  one(@Param('id', ParseIntPipe) id: number) {
    return { id, total: format(id * 250 + 5) };
  }
}

@Module({ controllers: [OrdersController] })
class AppModule {}

const app = await NestFactory.create(AppModule, { logger: ['error'] });
await app.listen(process.env.PORT ?? 3000, process.env.HOST ?? '127.0.0.1');
