from fastapi import APIRouter

router = APIRouter(prefix="/items")


@router.get("/find")
def find(name: str):
    return [name]


@router.get("/")
def all_items():
    return [{"id": 1, "name": "shoe"}]
