import { Controller, Get, Param } from '@nestjs/common';

@Controller('cats')
export class CatsController {
  @Get('all')
  all() {
    return [{ name: 'Tom' }];
  }

  @Get(':id')
  one(@Param('id') id: string) {
    return { id };
  }
}
