// A program without multiply-adds.
int main(void) { return 0; }
