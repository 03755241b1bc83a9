int printf(const char *, ...);
int main(void) <%
    int a<:3:> = <%1, 2, 3%>; // a line comment
    printf("%d\n", a<:1:>);   /* a block
                                 comment */
    int x = 10 /* inside */ / 2;
    printf("%d\n", x);
    printf("not // a comment /* either */\n");
    int y = 1; \
    y += 1;
    printf("%d \
continued\n", y);
    return 0;
%>
